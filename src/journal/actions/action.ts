/** An action: one invocation and what became of it, what a new one says, and what may change. */

import type { ToSend } from '../delivery/outbox.ts';
import type { Json } from '../json.ts';
import type { ActionEvent } from './events.ts';
import type { Interaction } from './interaction.ts';
import type { initial, State } from './states.ts';

/** One invocation and what became of it. */
export interface Action {
  readonly id: string;
  readonly state: State;
  readonly token: string | undefined;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly expiresAt: number | undefined;
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly line: string;
  readonly phrase: string | undefined;
  readonly effect: string | undefined;
  readonly appliance: string | undefined;
  readonly args: Json;
  readonly preview: Json | undefined;
  readonly card: string | undefined;
  readonly outcome: Outcome | undefined;
  readonly decidedBy: string | undefined;
  /** Whose yes it waits for, where the asker's own is not enough. */
  readonly consent: Json | undefined;
  /** The replica that wrote it down, or took it on since. */
  readonly replica: string;
  /** What somebody did where no line was typed; `line` is then that of the answer, the offer or the form. */
  readonly interaction?: Interaction | undefined;
}

/** How an action ended: a code for programs, one plain sentence for people. */
export interface Outcome {
  readonly code: string;
  readonly says: string;
  /** The line that stands on the card, where `says` is more than that. */
  readonly headline?: string;
}

/** What is known when an action is first written down. */
export interface NewAction {
  /** Given to it where it may be written twice (`offline/`). */
  readonly id?: string;
  readonly state: (typeof initial)[number];
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  readonly line: string;
  readonly phrase?: string | undefined;
  readonly effect?: string | undefined;
  readonly appliance?: string | undefined;
  readonly args?: Json;
  readonly outcome?: Outcome | undefined;
  /** Which version of the policy counted, and the roles that allowed it. */
  readonly policy?: string | undefined;
  readonly allowedBy?: readonly string[] | undefined;
  /** The delivery of the chat (`Deliveries`) that it comes of. */
  readonly delivery?: string | undefined;
  readonly interaction?: Interaction | undefined;
}

/** What is written down of an action once, and is no part of it. */
export type ActionOrigin = Pick<NewAction, 'policy' | 'allowedBy' | 'delivery'>;

/** What may change together with the state. */
export interface Changes {
  readonly token?: string;
  readonly expiresAt?: number;
  readonly preview?: Json;
  readonly card?: string;
  readonly outcome?: Outcome;
  readonly decidedBy?: string;
  readonly consent?: Json;
  /** Of an unknown outcome: somebody still looks, and if this replica cannot, another does. */
  readonly held?: boolean;
  /** What people are to be told of it: they are, whatever happens to this process from now on. */
  readonly messages?: readonly ToSend[];
  /** What has happened on the way here. */
  readonly events?: readonly ActionEvent[];
}
