import { z } from 'zod';
import { asFound, codec, optional, type Stored } from '../../codec.ts';
import { storedJson } from '../../stored-text.ts';
import type { Action, ActionOrigin } from '../actions/action.ts';
import type { Given } from '../actions/approvals.ts';
import type { ActionEvent, NotedEvent } from '../actions/events.ts';
import type { Interaction } from '../actions/interaction.ts';
import type { State } from '../actions/states.ts';
import type { Json } from '../json.ts';
import { notedAnswers, type OrderAnswer, orderAnswer } from './order-answer.ts';
import { type Waited, waited } from './waited.ts';

/**
 * All that is known of an action that is over, in plain words. One is written down when it ends, and another one if
 * something comes to it later: the newest counts. Moments are ISO 8601 in UTC.
 */
export interface AuditRecord {
  readonly version: 1;
  /** The action's ID. */
  readonly action: string;
  /** Where it was asked: Slack IDs. */
  readonly team: string;
  readonly channel: string;
  /** Who asked: a Slack ID. */
  readonly person: string;
  /** What was typed, without its secrets; of an interaction, what it was about. */
  readonly line: string;
  /** The line that it was taken for, where that is another one; null where it is not. Absent in records of earlier versions. */
  readonly understoodAs: string | null;
  /** The ticket that it was done for; null where none was named. Absent in records of earlier versions. */
  readonly ticket: string | null;
  /** The plan that it is a step of, and which; or that it goes on with or takes back. Absent where it is of none. */
  readonly plan?: { readonly action: string; readonly step: number | null };
  /** What was done where no line was typed; null where one was. Absent in records of earlier versions, as `searches`. */
  readonly interaction: Interaction | null;
  /** What people call the command, `rdp disconnect`, and how it is declared. Null where the line is none. */
  readonly command: string | null;
  readonly phrase: string | null;
  /** What it may do to an appliance: `read`, `write`, `destructive`, `unknown`. */
  readonly effect: string | null;
  readonly appliances: readonly string[];
  /** What was read from the line, without secrets. */
  readonly args: Json;
  /** What it is about, by name, as it is looked for. Absent in records of earlier versions. */
  readonly about?: readonly string[];
  readonly asked: string;
  readonly ended: string;
  readonly decision: {
    /** Whether the policy allowed it to whoever asked. Null where nothing was decided: the line was not understood. */
    readonly allowed: boolean | null;
    /** The roles that allowed it. */
    readonly roles: readonly string[];
    /** Why it was refused: a code, and a sentence. */
    readonly code: string | null;
    readonly reason: string | null;
    /** Which policy counted: the first digits of its digest. */
    readonly policy: string | null;
  };
  /**
   * What its card showed in the end, and what it had shown before that. Nothing of what was withheld from its asker, who
   * may be somebody who reads records.
   */
  readonly preview: RecordedPreview | null;
  readonly earlierPreviews: readonly (RecordedPreview & { readonly at: string })[];
  readonly approvals: readonly {
    readonly person: string;
    /** The same for every account of one human. */
    readonly human: string;
    readonly at: string;
    /** False where it was of an earlier preview. */
    readonly counts: boolean;
  }[];
  /** Who clicked last of those who could: confirmed, approved, cancelled, denied. */
  readonly decidedBy: string | null;
  /** Clicks that did nothing, and why. */
  readonly refusedClicks: readonly (RefusedClick & { readonly at: string })[];
  /** Who was shown, alone, what its card withheld. Absent in records of earlier versions. */
  readonly revealed: readonly (Revealed & { readonly at: string })[];
  /** How often somebody searched in the lists of a form that was opened, told when it was sent or its time was over. */
  readonly searches: readonly (Searches & { readonly at: string })[];
  /** What was sent to appliances, in the order in which it ended. */
  readonly requests: readonly (SentRequest & { readonly at: string })[];
  /** How long it waited for people, each time: until `at`. Absent where it never did, and in records of earlier versions. */
  readonly waited?: readonly (Waited & { readonly at: string })[];
  /** What appliances said to its orders, in the order in which they did. Absent where there is none of it. */
  readonly answers?: readonly (OrderAnswer & { readonly at: string })[];
  /** What was noted on its way and fits none of these: as it was found. Absent where there is none of it. */
  readonly unreadable?: readonly { readonly kind: string; readonly content: Json; readonly at: string }[];
  readonly state: State;
  /** What reading back showed. Null where nothing was to be changed, or nothing was sent. */
  readonly verification: 'checked' | 'accepted' | 'failed' | 'unknown' | null;
  /** How it ended: a code, what people were told, and the same in one line where that is shorter. */
  readonly outcome: {
    readonly code: string;
    readonly says: string;
    readonly headline: string | null;
    /** Whom these words name: where in `headline`, or else in `says`, and by which Slack ID. Absent where they name nobody. */
    readonly named?: NonNullable<Action['outcome']>['named'];
  } | null;
  /** Its message in `channel`: a Slack timestamp. */
  readonly card: string | null;
  /** The process that was at it. */
  readonly replica: string;
  /** The ID of its trace. Absent where none was made. */
  readonly trace?: string;
}

interface RecordedPreview {
  readonly question: string;
  /** As typed for the time that it was moved to. Absent where it was not. */
  readonly line?: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

type RefusedClick = Stored<typeof refusedClickShape>;
const refusedClickShape = z.object({
  person: z.string(),
  button: z.string(),
  code: z.string(),
});

type Revealed = Stored<typeof revealedShape>;
const revealedShape = z.object({ person: z.string() });

type Searches = Stored<typeof searchesShape>;
const searchesShape = z.object({ count: z.number() });

type SentRequest = Stored<typeof requestShape>;
const requestShape = z.object({
  appliance: z.string(),
  operation: z.string(),
  effect: z.string(),
  method: z.string(),
  /** With the query; secrets are hidden. */
  path: z.string(),
  attempt: z.number(),
  /** HTTP; absent where no whole answer came. */
  status: optional(z.number()),
  durationMs: z.number(),
  /** The code of what went wrong. */
  error: optional(z.string()),
});

export interface Legible {
  /** What people call the command of an action. */
  readonly commandOf: (action: Action) => string | undefined;
  /** Whether it was refused because its asker may not do that. */
  readonly isDenied: (action: Action) => boolean;
  readonly previewOf: (preview: Json) => RecordedPreview;
  /** Whether its asker might not see its preview, and never got the yes that would have shown it. */
  readonly isWithheld: (action: Action) => boolean;
  readonly aboutOf?: ((action: Action) => readonly string[]) | undefined;
  /** The ID of its trace, where traces are made. */
  readonly traceOf?: ((action: string) => string) | undefined;
}

/** What a record is made of. */
export interface Sources extends ActionOrigin {
  readonly action: Action;
  readonly approvals: readonly (Given & { readonly question: string })[];
  readonly events: readonly NotedEvent[];
}

export function recordOf(
  { action, policy, allowedBy = [], approvals, events }: Sources,
  legible: Legible,
): AuditRecord {
  const { state, outcome, phrase, effect } = action;
  const isWithheld = legible.isWithheld(action);
  const noted = <Content>(kind: ActionEvent['kind'], read: (content: Json) => Content | undefined) =>
    events
      .filter((event) => event.kind === kind)
      .flatMap(({ at, content }) => {
        const known = read(content);
        return known === undefined ? [] : [{ ...known, at: iso(at) }];
      });
  const answers = noted('answered', orderAnswer);
  const waits = noted('waited', waited.read);
  const unreadable = events.filter(({ kind, content }) => !isReadable(kind, content));
  return inStoredText({
    version: 1,
    action: action.id,
    ...{ team: action.team, channel: action.channel, person: action.person },
    line: action.line,
    understoodAs: action.understoodAs ?? null,
    ticket: action.ticket ?? null,
    ...(action.plan !== undefined && { plan: { action: action.plan, step: action.step ?? null } }),
    interaction: action.interaction ?? null,
    ...{ command: legible.commandOf(action) ?? null, phrase: phrase ?? null, effect: effect ?? null },
    appliances: appliancesIn(action.appliance),
    args: action.args,
    ...(legible.aboutOf && { about: legible.aboutOf(action) }),
    ...{ asked: iso(action.createdAt), ended: iso(action.changedAt) },
    decision: {
      allowed: legible.isDenied(action) ? false : phrase === undefined ? null : true,
      roles: allowedBy,
      code: state === 'refused' ? (outcome?.code ?? null) : null,
      reason: state === 'refused' ? (outcome?.says ?? null) : null,
      policy: policy ?? null,
    },
    preview: action.preview === undefined || isWithheld ? null : legible.previewOf(action.preview),
    earlierPreviews: isWithheld ? [] : noted('shown', legible.previewOf),
    approvals: approvals.map(({ person, human, at, question }) => ({
      ...{ person, human, at: iso(at) },
      counts: question === action.token,
    })),
    decidedBy: action.decidedBy ?? null,
    refusedClicks: noted('click_refused', refusedClicks.read),
    ...{ revealed: noted('revealed', revealed.read), searches: noted('searched', searches.read) },
    requests: noted('request', requests.read),
    ...(waits.length > 0 && { waited: waits }),
    ...(answers.length > 0 && { answers }),
    ...(unreadable.length > 0 && {
      unreadable: unreadable.map(({ kind, content, at }) => ({ kind, content, at: iso(at) })),
    }),
    ...{ state, verification: verificationOf(action) },
    outcome:
      outcome === undefined
        ? null
        : {
            ...{ code: outcome.code, says: outcome.says, headline: outcome.headline ?? null },
            ...(outcome.named && { named: outcome.named }),
          },
    // In a direct message nobody else can open it.
    card: action.direct === undefined ? (action.card ?? null) : null,
    replica: action.replica,
    ...(legible.traceOf && { trace: legible.traceOf(action.id) }),
  });
}

/** What is indexed, digested and announced is what stands there. */
function inStoredText(record: AuditRecord): AuditRecord {
  const json = JSON.stringify(record);
  const stored = storedJson(json);
  return stored === json ? record : JSON.parse(stored);
}

const refusedClicks = codec(asFound(refusedClickShape));
const revealed = codec(asFound(revealedShape));
const searches = codec(asFound(searchesShape));
const requests = codec(asFound(requestShape));

/** How what was sent to an appliance is noted. */
export const requestToNote = requests.store;

/** Previews have a reader of their own (`Legible`), which tells what it cannot read. */
const readers: Readonly<Record<ActionEvent['kind'], (content: Json) => unknown>> = {
  shown: () => true,
  click_refused: refusedClicks.read,
  revealed: revealed.read,
  searched: searches.read,
  request: requests.read,
  answered: notedAnswers.read,
  waited: waited.read,
};

const readerOf = new Map(Object.entries(readers));

const isReadable = (kind: string, content: Json): boolean => readerOf.get(kind)?.(content) !== undefined;

const iso = (at: number): string => new Date(at).toISOString();

const appliancesIn = (column = ''): readonly string[] => (column === '' ? [] : column.split(','));

function verificationOf({ state, effect, outcome }: Action): AuditRecord['verification'] {
  if (!isChange(effect ?? null)) return null;
  switch (state) {
    case 'done':
      return outcome?.code === 'accepted' ? 'accepted' : 'checked';
    case 'failed':
    case 'unknown':
      return state;
    default:
      return null;
  }
}

/** Whether it was to change something. */
export const isChange = (effect: string | null): boolean => effect !== null && effect !== 'read';
