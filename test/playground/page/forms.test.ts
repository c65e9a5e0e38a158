// Forms on their way to the bot and back: the wait, what is changed in its place, what did not get through.
import { expect, it } from 'vitest'
import { record } from '../../../playground/slack/model/json.ts'
import { botCalls, channelCalled, plain } from './bot-calls.ts'
import { dialog, focused, gone, message, messageBox, presses, says, seen } from './on-the-page.ts'
import { openPage } from './page-world.ts'

it('shows that a form is on its way, and what takes its place', async () => {
  const { page, playground } = await openPage({ as: 'carol' })
  const { demoToken = '' } = playground.players.find(({ person }) => person.name === 'carol') ?? {}
  await says(page, '/alert connect')
  const form = dialog(page, 'Connect account')
  await form.getByRole('textbox', { name: 'API token' }).fill(demoToken)
  // Longer than the bot keeps its answer to a form back for.
  playground.service.trouble.slow(1_800)
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/act', async (route) => {
    await goesOn
    await route.continue()
  })

  const submit = form.getByRole('button', { name: 'Connect account' })
  await submit.click()
  await seen(form.getByRole('button', { name: 'Connect account', disabled: true }))
  expect(await submit.getAttribute('aria-busy')).toBe('true')
  goOn()
  await seen(form.getByText('Checking…'))
  await seen(form.getByText('Connected.'))
  await page.keyboard.press('Escape')
  await gone(form)
  await focused(messageBox(page))
})

it('looks an alert up from a form, in the conversation that is chosen', async () => {
  const { page, playground } = await openPage()
  const shop = [...playground.slack.workspace.channels.values()].find(({ name }) => name === 'shop')
  await messageBox(page).fill('/alert ')
  await messageBox(page).press('Enter')
  const form = dialog(page, 'Look up an alert')

  await presses(form, 'Look up')
  await seen(form.getByRole('alert'))
  await form.getByRole('textbox', { name: 'Alert key' }).fill('web server 503')
  await form.getByRole('combobox', { name: 'Post to' }).selectOption(shop?.id ?? '')
  await presses(form, 'Look up')
  await gone(form)
  await page.getByRole('link', { name: 'shop' }).click()
  await seen(message(page, 'shop.example.com answers 503'))
})

it('lets a choice change the rest of the form: what was typed stays, and new boxes are ticked anew', async () => {
  const { page, playground } = await openPage()
  const { slack } = playground
  const option = (value: string) => ({ text: plain(value), value })
  const form = (role: string, ticked: string) => ({
    ...{ type: 'modal', title: plain('Grant'), submit: plain('Grant access') },
    blocks: [
      {
        ...{ type: 'input', block_id: 'role', dispatch_action: true, label: plain('Role') },
        element: {
          ...{ type: 'static_select', action_id: 'role', initial_option: option(role) },
          options: [option('Viewer'), option('Admin')],
        },
      },
      {
        ...{ type: 'input', block_id: 'whom', label: plain('Email address') },
        element: { type: 'plain_text_input', action_id: 'whom' },
      },
      {
        // Slack keeps what stands in a block of the same id.
        ...{ type: 'input', block_id: `flags ${role}`, optional: true, label: plain('Flags') },
        element: {
          ...{ type: 'checkboxes', action_id: 'flags', initial_options: [option(ticked)] },
          options: [option('READ'), option('WEBHOOKS')],
        },
      },
    ],
  })
  const sent = () => slack.deliveries.at(-1)?.payload
  const button = { type: 'button', action_id: 'fresh', text: plain('Open the form') }
  await botCalls(playground, 'chat.postMessage', {
    ...{ channel: channelCalled('on-call', playground).id, text: 'A form' },
    blocks: [{ type: 'actions', elements: [button] }],
  })
  await presses(page, 'Open the form')
  await expect.poll(() => sent()?.trigger_id).toBeDefined()
  await botCalls(playground, 'views.open', { trigger_id: sent()?.trigger_id, view: form('Viewer', 'READ') })
  const shown = dialog(page, 'Grant')
  const role = shown.getByRole('combobox', { name: 'Role' })
  const whom = shown.getByRole('textbox', { name: 'Email address' })
  const isTicked = (flag: string) => shown.getByRole('checkbox', { name: flag }).isChecked()
  await whom.fill('dave@example.com')
  await shown.getByRole('checkbox', { name: 'READ' }).uncheck()

  await role.focus()
  await role.selectOption('Admin')

  await expect.poll(() => sent()?.actions).toMatchObject([{ selected_option: { value: 'Admin' } }])
  const { id, hash, state } = record(sent()?.view)
  expect(state).toMatchObject({
    values: {
      role: { role: { selected_option: { value: 'Admin' } } },
      whom: { whom: { value: 'dave@example.com' } },
      'flags Viewer': { flags: { selected_options: [] } },
    },
  })
  await botCalls(playground, 'views.update', { view_id: id, hash, view: form('Admin', 'WEBHOOKS') })
  await expect.poll(() => isTicked('WEBHOOKS')).toBe(true)
  expect(await isTicked('READ')).toBe(false)
  expect(await whom.inputValue()).toBe('dave@example.com')
  expect(await role.inputValue()).toBe('Admin')
  await focused(role)
})

it('suggests while somebody types, by key and by pointer', async () => {
  const { page, playground } = await openPage()
  await says(page, '/grant 12 dave@example.com READ')
  await seen(message(page, 'Granted'))
  await says(page, '/grant')
  const form = dialog(page, 'Grant access')

  const container = form.getByRole('combobox', { name: 'Container' })
  await seen(container)
  await container.focus()
  await form.getByRole('option', { name: 'Customer 1 (12)', exact: true }).click()
  await container.fill('34')
  await seen(form.getByRole('option', { name: '34', exact: true }))
  await page.keyboard.press('Escape')
  await gone(form.getByRole('listbox', { name: 'Suggestions' }))
  expect(await container.inputValue()).toBe('Customer 1 (12)')
  await container.fill('twelve')
  await seen(form.getByText('No results'))
  await container.fill('34')
  await seen(form.getByRole('option', { name: '34', exact: true }))
  await container.press('Enter')
  await gone(form.getByRole('listbox', { name: 'Suggestions' }))

  await form.getByRole('textbox', { name: 'Email' }).fill('dave@example.com')
  await form.getByRole('combobox', { name: 'Role' }).selectOption('Viewer')
  await seen(form.getByText(/4 flags/))
  expect(await container.inputValue()).toBe('34')
  await presses(form, 'Grant access')
  await gone(form)
  const granted = () => playground.service.requests.filter(({ method }) => method === 'POST')
  await expect.poll(() => granted().at(-1)?.path).toContain('/34/')
})
