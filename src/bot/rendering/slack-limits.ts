import { chartRoom } from '../../action/showing/charts.ts';

/** Slack's limits, in one place; numbers from slack-facts.md §1–§3. */
export const limits = {
  /** `text` of a message: chat.update refuses more than 4,000 characters, and Slack splits longer posts. */
  text: 3_900,
  /** The first line of a message. The bot's own limit: a longer text belongs into the details. */
  headline: 1_000,
  /** Characters of a message in all its blocks. Unpublished; Slack answers msg_blocks_too_long. Kept well below. */
  message: 10_000,
  /** Facts in one block. */
  fields: 10,
  blocks: 50,
  header: 150,
  table: { rows: 100, columns: 20, characters: 10_000 },
  buttonText: 75,
  /** Bytes of a posted file: Slack's own limit, and the bot's for sizes in forms and stubs (slack-facts.md §7). */
  file: 1024 ** 3,
  /** Characters of a line with a button beside it (slack-facts.md §3). */
  section: 3_000,
  buttons: 25,
  /** Characters of a context line (slack-facts.md §3). */
  context: 3_000,
  chart: { perMessage: 2, ...chartRoom, title: 50, name: 20, axis: 50 },
} as const;
