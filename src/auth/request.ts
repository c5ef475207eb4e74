export const effects = ['read', 'write', 'destructive', 'unknown'] as const;

/** What a command may do to an appliance; `unknown` is what the appliance's document leaves open. */
type CommandEffect = (typeof effects)[number];

/** Everything that a decision depends on; no part may be left out. An unknown part is `any`. */
export interface Request {
  readonly who: Identity;
  readonly where: Where;
  readonly what: RequestedCommand;
  readonly access: Access;
}

/** A person as known when a decision is taken. A failed lookup gives no permission. */
export type Identity =
  | {
      readonly kind: PersonKind;
      readonly id: string;
      /** The same for every account of one human in an organisation (`enterprise_user.id`, slack-facts.md §6). */
      readonly human: string;
      /** Groups that the policy names and the person is in. */
      readonly groups: ReadonlySet<string>;
      /** Groups that could not be read. The person may be in them, but gets nothing from them. */
      readonly unread?: ReadonlySet<string>;
    }
  | { readonly kind: 'lookup_failed'; readonly id: string };

export type PersonKind = 'member' | 'guest' | 'other_organisation' | 'bot' | 'deactivated';

export interface Where {
  readonly channel: string;
  readonly place: ChannelSharing;
}

/** Whether people of another organisation are in a channel. */
export type ChannelSharing = 'own' | 'shared' | 'lookup_failed';

/** The properties of a command that decide who may run it. */
export interface RequestedCommand {
  readonly name: string;
  readonly area: string;
  readonly effect: CommandEffect;
  /** Answers from the bot's own knowledge, and is allowed everywhere. */
  readonly open: boolean;
  /**
   * The policy says who may ask for themselves (`asking/self-service.ts`). `alone`: no role gives the command.
   * `besides`: everybody who may ask has it, and so do the holders of a role that gives it.
   */
  readonly selfService: false | 'alone' | 'besides';
  /** Only a rule that names its area or its phrase gives it; a rule by effect does not. */
  readonly named: boolean;
  /** The arguments, as the appliance knows them. `any`: a rule covers the command if it would for some arguments. */
  readonly args: Arguments | 'any';
  readonly appliance: AskedOf;
  readonly lasts: Lasts;
  /** The other lines of a plan on the same appliance. Rules that count values count theirs too. */
  readonly beside?: readonly RequestedCommand[];
}

/**
 * How long a change lasts until the bot reverts it, in milliseconds. `any`: not known yet, so a rule covers it
 * if it would for some duration.
 */
export type Lasts = number | 'forGood' | 'any';

export type Arguments = Readonly<Record<string, unknown>>;

/** Stands for a value of an argument that is not known yet while others are. A rule assumes that some value fits. */
export const anyValue = Symbol('any value');

export interface ApplianceFacts {
  /** Several appliances may share a tag. */
  readonly tags: readonly string[];
}

export const noFacts: ApplianceFacts = { tags: [] };

export interface NamedAppliance extends ApplianceFacts {
  readonly name: string;
}

export type AskedOf =
  | NamedAppliance
  /** Not known yet: a rule covers the request if it would for some appliance. */
  | 'any'
  /** All of them at once, as in the audit of a channel. */
  | 'every'
  | 'none';

export type Access =
  | 'run'
  /** Only shows what would be sent. */
  | 'dryRun'
  /** Approves a request of somebody else. */
  | 'approve'
  /** Shows more of an earlier answer: a page, a filter. */
  | 'seeResult'
  /** Downloads an earlier answer as a file. */
  | 'export'
  /** Offers it as a value in a form. */
  | 'pick'
  /** Names it as a possible or probably meant command. */
  | 'suggest';

export const mayChange = ({
  what,
  access,
}: { readonly what: Pick<RequestedCommand, 'effect'> } & Pick<Request, 'access'>): boolean =>
  what.effect !== 'read' && access !== 'seeResult' && access !== 'export';
