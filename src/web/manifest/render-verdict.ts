// Slack's verdict on a manifest, in lines for the terminal. Pure.
import type { Verdict } from '../../slack/workspace/manifest-validator.ts'

export function renderVerdict(verdict: Verdict): readonly string[] {
  switch (verdict.kind) {
    case 'accepted':
      return ['Slack accepts this manifest.']
    case 'refused':
      return [
        'Slack refuses this manifest:',
        ...verdict.complaints.map(({ message, pointer }) =>
          pointer === '' ? message : `${pointer}: ${message}`,
        ),
      ]
    case 'bad-token':
      return [
        `SLACK_CONFIG_TOKEN: Slack refuses it (${verdict.why}). It works for 12 hours: generate a new one at api.slack.com/apps, below Your App Configuration Tokens.`,
      ]
    case 'no-verdict':
      return [
        verdict.why === undefined
          ? 'Slack did not answer. Check that this machine reaches slack.com, then try again.'
          : `Slack did not look at the manifest (${verdict.why}). Try again in a minute.`,
      ]
  }
}
