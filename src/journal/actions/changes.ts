import type { ToSend } from '../delivery/outbox.ts';
import type { ChangedFields } from './action.ts';
import type { ActionEvent } from './events.ts';

/** What is written down together with a new state. */
export interface Changes extends ChangedFields {
  /** Of an unknown outcome: somebody still looks, and if this replica cannot, another does. */
  readonly held?: boolean;
  /** It was asked elsewhere, and goes on in the channel itself. */
  readonly inChannel?: boolean;
  /** Only while this replica is at this plan, of which it is a step. */
  readonly ofPlan?: string;
  /** What people are to be told of it: they are, whatever happens to this process from now on. */
  readonly messages?: readonly ToSend[];
  /** What has happened on the way here. */
  readonly events?: readonly ActionEvent[];
}
