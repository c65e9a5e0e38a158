// The switch between people to play, and the token that this person would connect.
import { html } from 'htm/preact'
import { Avatar } from '../context/avatar.ts'
import { CopyButton } from '../context/copy-button.ts'
import { usePage } from '../context/page-context.ts'
import { firstName } from '../context/person.ts'

export function PersonSwitch() {
  const { state, as, beAs } = usePage()
  const { people, viewer } = state
  return html`
    <div class="s-people">
      <div role="radiogroup" aria-labelledby="s-people-title">
        <h2 class="s-people-title" id="s-people-title">You are</h2>
        ${people.map(
          ({ id, name, realName, rights }) => html`
            <div key=${id} class="s-person">
              <input
                type="radio"
                name="person"
                aria-label=${realName}
                aria-describedby=${`s-rights-${name}`}
                checked=${name === as}
                onChange=${() => beAs(name)}
              />
              <${Avatar} id=${id} name=${realName} isSmall />
              <span class="s-person-words">
                <span class="s-person-name">${realName}</span>
                <span class="s-person-rights" id=${`s-rights-${name}`}>${rights}</span>
              </span>
            </div>
          `,
        )}
      </div>
      <div class="s-people-token">
        <p>API token of ${firstName(viewer)} at the stand-in service</p>
        <span class="s-token">
          <code>${viewer.demoToken}</code>
          <${CopyButton} label="Copy API token" text=${viewer.demoToken} />
        </span>
      </div>
    </div>
  `
}
