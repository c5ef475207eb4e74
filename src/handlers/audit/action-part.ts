import { z } from 'zod';
import {
  channel,
  code,
  enumerate,
  isText,
  messageLink,
  moment,
  person,
  type Span,
  say,
  strong,
  type Text,
  ticketLink,
} from '../text.ts';
import { type HistoryEntry, marks } from './history.ts';
import { recalled } from './recalled.ts';

/** An action as it stands, in its facts. */
export interface ActionPart
  extends Pick<HistoryEntry, 'reference' | 'line' | 'state' | 'asked' | 'person' | 'channel' | 'outcome'> {
  readonly kind: 'action';
  readonly understoodAs?: string;
  readonly ticket?: string;
  /** Which step of which plan it is. */
  readonly plan?: string;
  readonly ended?: number;
  readonly appliances: readonly string[];
  readonly approvedBy: readonly string[];
  /** What was read back after it. */
  readonly evidence: readonly string[];
  /** Its message, where it has one that others see. */
  readonly message?: Extract<Span, { kind: 'message' }>;
  /** Where the chat can, whoever sees it may open it, and is shown how it stands then. */
  readonly opens?: true;
}

export const actionPartShape = z.object({
  kind: z.literal('action'),
  reference: z.string(),
  line: z.string(),
  understoodAs: z.string().exactOptional(),
  ticket: z.string().exactOptional(),
  plan: z.string().exactOptional(),
  state: z.custom<HistoryEntry['state']>((state) => typeof state === 'string' && Object.hasOwn(marks, state)),
  outcome: z.custom<Text>(isText),
  asked: z.number(),
  ended: z.number().exactOptional(),
  person: z.string(),
  channel: z.string(),
  appliances: z.array(z.string()),
  approvedBy: z.array(z.string()),
  evidence: z.array(z.string()),
  message: z.custom<NonNullable<ActionPart['message']>>((span) => isText([span])).exactOptional(),
  opens: z.literal(true).exactOptional(),
}) satisfies z.ZodType<ActionPart>;

/** @param entry one that is told as it stands now */
export function actionPart(entry: HistoryEntry): ActionPart {
  const { understoodAs, ticket, ended, card, channel: place } = entry;
  const { reference, line, state, outcome, asked, appliances, approvedBy, evidence } = entry;
  return {
    ...{ kind: 'action', reference, line, state, outcome, asked, appliances, approvedBy, evidence },
    ...{ person: entry.person, channel: place },
    ...(understoodAs !== undefined && { understoodAs }),
    ...(ticket !== undefined && { ticket }),
    ...(entry.plan !== undefined && { plan: planOf(entry) }),
    ...(ended !== undefined && { ended }),
    ...(card !== undefined && { message: messageLink('open its thread', place, card) }),
  };
}

/** The line, and what it was taken for. */
export const typed = ({ line, understoodAs }: Pick<HistoryEntry, 'line' | 'understoodAs'>): Text =>
  understoodAs === undefined ? say`${code(line)}` : say`${code(line)} (understood as ${code(understoodAs)})`;

/** What it was done for, behind that. */
export const forTicket = ({ ticket }: Pick<Partial<HistoryEntry>, 'ticket'>): Text =>
  ticket === undefined ? [] : say` for ${ticketLink(ticket)}`;

/** Which step of which plan it is, behind that. */
export const ofPlan = (entry: Pick<Partial<HistoryEntry>, 'plan'>): Text =>
  entry.plan === undefined ? [] : say` (${planOf(entry)})`;

const planOf = ({ plan }: Pick<Partial<HistoryEntry>, 'plan'>): string =>
  `${plan?.step === undefined ? '' : `step ${plan.step} `}of the plan ${plan?.reference}`;

/** The same in a line, for where it can be opened: all but what was read back. */
export function inOneLine(part: ActionPart): Text {
  const { asked, ended, appliances, approvedBy, message } = part;
  const where = appliances.length === 0 ? [] : say` on ${enumerate(appliances)}`;
  const agreed = approvedBy.length === 0 ? [] : say` · approved by ${enumerate(approvedBy.map(person))}`;
  const until = ended === undefined ? [] : say` · ended ${moment(ended)}`;
  const what = say`${typed({ line: part.line, understoodAs: part.understoodAs })}${forTicket(part)}`;
  return say`${what}${where} · asked by ${person(part.person)}, ${moment(asked)}${agreed}${until} · ${message ?? channel(part.channel)}`;
}

/** All that is told of it besides how it ended. */
export function factsOf(part: ActionPart): readonly { readonly name: string; readonly value: Text }[] {
  const { ticket, asked, ended, appliances, approvedBy, evidence, message } = part;
  return [
    { name: 'Asked by', value: say`${person(part.person)}, ${moment(asked)}` },
    { name: 'Line', value: typed({ line: part.line, understoodAs: part.understoodAs }) },
    ...(ticket === undefined ? [] : [{ name: 'Ticket', value: say`${ticketLink(ticket)}` }]),
    ...(part.plan === undefined ? [] : [{ name: 'Plan', value: say`${part.plan}` }]),
    ...(appliances.length === 0 ? [] : [{ name: 'On', value: enumerate(appliances.map(strong)) }]),
    ...(ended === undefined ? [] : [{ name: 'Ended', value: say`${moment(ended)}` }]),
    ...(approvedBy.length === 0 ? [] : [{ name: 'Approved by', value: enumerate(approvedBy.map(person)) }]),
    ...(evidence.length === 0
      ? []
      : [{ name: 'Evidence', value: recalled(evidence.join(' '), () => false) }]),
    { name: 'Where', value: say`${message ?? channel(part.channel)}` },
  ];
}
