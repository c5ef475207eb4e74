/** Every declared event. All counts exist from the start, so that the first occurrence shows as an increase. */

import * as actions from './events/actions.ts';
import * as appliances from './events/appliances.ts';
import type { LogEvent } from './events/event.ts';
import * as forms from './events/forms.ts';
import * as journal from './events/journal.ts';
import * as messages from './events/messages.ts';
import * as policy from './events/policy.ts';
import * as process from './events/process.ts';
import * as replicas from './events/replicas.ts';
import * as requests from './events/requests.ts';
import * as slack from './events/slack.ts';
import * as traces from './events/traces.ts';
import * as watches from './events/watches.ts';
import * as webhooks from './events/webhooks.ts';

const modules = {
  actions,
  appliances,
  forms,
  journal,
  messages,
  policy,
  process,
  replicas,
  requests,
  slack,
  traces,
  watches,
  webhooks,
};

export const eventsByArea: ReadonlyMap<string, readonly LogEvent[]> = new Map(
  Object.entries(modules).map(([area, module]) => [
    area,
    Object.values<LogEvent | Readonly<Record<string, LogEvent>>>(module).flatMap((one) =>
      isEvent(one) ? [one] : Object.values(one),
    ),
  ]),
);

export const allEvents: readonly LogEvent[] = [...eventsByArea.values()].flat();

function isEvent(one: LogEvent | Readonly<Record<string, LogEvent>>): one is LogEvent {
  return typeof one.id === 'string';
}
