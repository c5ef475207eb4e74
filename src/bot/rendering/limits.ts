import { chartRoom } from '../../action/showing/charts.ts';

/** The limits of Slack's that we write against, once; numbers from slack-facts.md §1–§3. */
export const limits = {
  /** `text` of a message: chat.update refuses more than 4,000 characters, and longer posts are split by Slack. */
  text: 3_900,
  /** The first line of a message. Ours: whoever writes more than this above the details has written a detail. */
  headline: 1_000,
  /** Characters of one message in all its blocks. Not published; Slack answers msg_blocks_too_long. Kept well below. */
  message: 10_000,
  /** Facts beside each other in one block. */
  fields: 10,
  blocks: 50,
  header: 150,
  table: { rows: 100, columns: 20, characters: 10_000 },
  buttonText: 75,
  /** Bytes of a posted file: Slack's own cap, and ours for what a form or a stub promises (slack-facts.md §7). */
  file: 1024 ** 3,
  /** Characters of a line with a button beside it (slack-facts.md §3). */
  section: 3_000,
  /** In one row. */
  buttons: 25,
  /** Characters of a line in small letters (slack-facts.md §3). */
  context: 3_000,
  /** Of what a message can be opened for: characters are ours, Slack publishes none; the buttons are Slack's. */
  entity: { title: 150, text: 1_000, short: 48, buttons: { primary: 2, overflow: 5 } },
  chart: { perMessage: 2, ...chartRoom, title: 50, name: 20, axis: 50 },
} as const;
