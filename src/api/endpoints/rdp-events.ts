import type { ReplyReader } from '../reading/reply.ts';
import { rows, type UnnamedFields, undocumented } from '../reading/unnamed.ts';

/** However many are asked for, the appliance answers with no more (appliance-api.md §8.1). */
export const mostEvents = 500;

/** Access events. */
export interface AccessEvents {
  readonly events: readonly UnnamedFields[];
  /**
   * True when there are as many as were asked for, or as the appliance ever answers with: there may be more.
   */
  readonly mayBeCut: boolean;
}

const list = rows('event', undocumented('RdpEvent', 'An access event of the remote-desktop gateway.'));

export const accessEvents: ReplyReader<AccessEvents> = {
  read(answer, asked) {
    const events = list.read(answer);
    const limit = typeof asked?.limit === 'number' ? asked.limit : mostEvents;
    return { events, mayBeCut: events.length >= limit };
  },
  wire: list.wire,
};
