import type { CommandEffect } from './effect.ts';

/**
 * Somebody who wants something: all that a decision depends on, and no part of it may be left out. What is not known
 * yet is said to be `any`.
 */
export interface Request {
  readonly who: Identity;
  readonly where: Where;
  readonly what: RequestedCommand;
  readonly access: Access;
}

/** What is known of a person when a decision is taken. A lookup that failed is known as such, and gives nothing. */
export type Identity =
  | {
      readonly kind: PersonKind;
      readonly id: string;
      /** The same for every account of one human in an organisation (`enterprise_user.id`, slack-facts.md §6). */
      readonly human: string;
      /** Of the groups that the policy names, those that the person is in. */
      readonly groups: ReadonlySet<string>;
      /** Those that could not be read: they may be in them, and are given nothing by them. */
      readonly unread?: ReadonlySet<string>;
    }
  | { readonly kind: 'lookup_failed'; readonly id: string };

export type PersonKind = 'member' | 'guest' | 'other_organisation' | 'bot' | 'deactivated';

/** Where something is asked. */
export interface Where {
  /** The channel's Slack ID. */
  readonly channel: string;
  readonly place: ChannelSharing;
}

/** Whether people of another organisation are in a channel. */
export type ChannelSharing = 'own' | 'shared' | 'lookup_failed';

/** A command, as far as it decides who may run it. */
export interface RequestedCommand {
  /** The literal words of its phrase: `rdp disconnect`. */
  readonly name: string;
  readonly area: string;
  readonly effect: CommandEffect;
  /** Answers from the bot's own knowledge, and is allowed everywhere. */
  readonly open: boolean;
  /**
   * The policy says who may ask for themselves (`asking/self-service.ts`). `alone`: no role gives it; `besides`: whoever may ask has it, and so has
   * whoever a role gives it.
   */
  readonly selfService: false | 'alone' | 'besides';
  /** Only a rule that names its area or its phrase gives it: not one that gives whatever has an effect. */
  readonly named: boolean;
  /** What it is asked with, as the appliance knows it. `any`: a rule covers it if there are arguments with which it does. */
  readonly args: Arguments | 'any';
  readonly appliance: AskedOf;
  readonly lasts: Lasts;
  /** What is asked for together with it, on the same appliance: the other lines of a plan. Where a rule counts, they count with it. */
  readonly beside?: readonly RequestedCommand[];
}

/**
 * How long what it changes is to last, in milliseconds from when it is made until the bot takes it back. `any`: it is not known
 * yet, so that a rule covers it if there is a time for which it does.
 */
export type Lasts = number | 'forGood' | 'any';

/** What was given, by the names of the arguments. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Stands for the value of an argument, or one of several, that is not known yet, while others are: there may be one that fits. */
export const anyValue = Symbol('any value');

/** What the policy knows of an appliance besides its name. */
export interface ApplianceFacts {
  /** Words that several may share. */
  readonly tags: readonly string[];
}

/** Of one that it does not know. */
export const noFacts: ApplianceFacts = { tags: [] };

export interface NamedAppliance extends ApplianceFacts {
  readonly name: string;
}

/** The appliance that is asked. */
export type AskedOf =
  | NamedAppliance
  /** It is not known yet: a rule covers it if there is one with which it does. */
  | 'any'
  /** All there are, told of at once: the audit of a channel. */
  | 'every'
  /** None. */
  | 'none';

/** What is wanted with a command. */
export type Access =
  | 'run'
  /** Only what would be sent is shown. */
  | 'dryRun'
  /** Somebody else is to run it. */
  | 'approve'
  /** More of what it has answered: a page, a filter. */
  | 'seeResult'
  /** That as a file. */
  | 'export'
  /** What a form offers as a value. */
  | 'pick'
  /** It is named, as what can be done or may have been meant. */
  | 'suggest';

/** Whether something may be changed by it. */
export const mayChange = ({
  what,
  access,
}: { readonly what: Pick<RequestedCommand, 'effect'> } & Pick<Request, 'access'>): boolean =>
  what.effect !== 'read' && access !== 'seeResult' && access !== 'export';
