/** What lasts from one event to another: an alert on it goes on for as long as it does, however long ago it was told. */

import type { LogEvent } from '../events/event.ts';
import { diskEnough, diskLow } from '../events/journal.ts';
import { policyRefused, policySame, policyTaken } from '../events/policy.ts';
import { botTokenBack, botTokenRefused, slackAnswers, slackSilent } from '../events/slack.ts';
import type { Observe } from '../log.ts';
import type { Metrics } from './registry.ts';

interface Lasting {
  readonly name: string;
  readonly help: string;
  /** Each by itself, from its first event until one of the others. */
  readonly troubles: readonly (readonly [begins: LogEvent, ...ends: LogEvent[]])[];
}

const all: readonly Lasting[] = [
  {
    name: 'appliance_bot_slack_answering',
    help: '1 while Slack takes the bot’s token and answers its calls',
    troubles: [
      [botTokenRefused, botTokenBack],
      [slackSilent, slackAnswers],
    ],
  },
  {
    name: 'appliance_bot_policy_file_valid',
    help: '1 while the policy file, as it was read last, has no mistakes',
    troubles: [[policyRefused, policyTaken, policySame]],
  },
  {
    name: 'appliance_bot_journal_disk_enough',
    help: '1 while the disk of the journal has room',
    troubles: [[diskLow, diskEnough]],
  },
];

/** Names of response URLs are left out: nobody tries one again, and so nobody would find out that it is over. */
const isCounted = (event: LogEvent, name: unknown): boolean => event !== slackSilent || name === 'Web API';

export function declareLasting({ gauge }: Metrics): Observe {
  const begins = new Map<LogEvent, Set<LogEvent>>();
  const ends = new Map<LogEvent, () => void>();
  for (const { name, help, troubles } of all) {
    const lasting = new Set<LogEvent>();
    gauge({ name, help }, () => [{ value: Number(lasting.size === 0) }]);
    for (const [begin, ...those] of troubles) {
      begins.set(begin, lasting);
      for (const end of those) ends.set(end, () => void lasting.delete(begin));
    }
  }
  return (event, { name }) => {
    if (isCounted(event, name)) begins.get(event)?.add(event);
    ends.get(event)?.();
  };
}
