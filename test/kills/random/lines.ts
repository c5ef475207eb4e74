/** One kind of line that people type, and its possible results. The source is the manual, not the bot. */
export interface LineKind {
  /** How many of a hundred lines are of it. */
  readonly share: number;
  readonly line: (number: number) => string;
  /** True for a message to the bot in the channel instead of the slash command. */
  readonly isMention?: true;
  /** Its author, when that is somebody without a role. */
  readonly by?: 'guest';
  /** Buttons that are pressed one after the other, with who presses them; the asker unless told. */
  readonly clicks?: readonly { readonly label: string; readonly by?: 'approver' | 'operator' }[];
  /** Whether a form opens, which is then filled in. */
  readonly form?: Readonly<Record<string, string>>;
  /** True when it continues by itself after a minute: not used where minutes are real and too long. */
  readonly takesMinutes?: true;
}

export const lineKinds = {
  lookup: { share: 14, line: (number) => `categorize host-${number}.example` },
  mention: { share: 12, line: (number) => `categorize host-${number}.example`, isMention: true },
  none: { share: 6, line: (number) => `pleese look at host-${number} for me` },
  rehearsed: { share: 4, line: (number) => `rdp disconnect ${number} --dry-run` },
  disable: {
    share: 10,
    line: (number) => `rdp policy disable Policy-${number}`,
    clicks: [{ label: 'Undo' }],
  },
  disconnect: {
    share: 10,
    line: (number) => `rdp disconnect ${number}`,
    clicks: [{ label: 'Disconnect' }],
  },
  remove: {
    share: 6,
    line: (number) => `rdp policy delete Policy-${number}`,
    clicks: [{ label: 'Approve', by: 'approver' }],
  },
  object: { share: 4, line: (number) => `acl object disable object-${number}` },
  plan: {
    share: 10,
    line: (number) => `plan\nrdp policy disable Policy-${number}\nacl object disable object-${number}`,
    clicks: [{ label: 'Run plan' }, { label: 'Undo' }],
  },
  temporary: {
    share: 8,
    line: (number) => `rdp policy disable Policy-${number} --for 1m`,
    takesMinutes: true,
  },
  planned: {
    share: 4,
    line: (number) => `rdp disconnect ${number} --at "in 1m"`,
    clicks: [{ label: 'Plan' }],
    takesMinutes: true,
  },
  request: {
    share: 6,
    line: (number) => `ask host-${number}.example --for 1m --reason "booking"`,
    by: 'guest',
    clicks: [{ label: 'Approve', by: 'operator' }],
    takesMinutes: true,
  },
  password: {
    share: 4,
    line: (number) => `rdp member password user-${number}`,
    form: { 'New password': 'correct horse battery' },
    clicks: [{ label: 'Set password' }],
  },
  emergency: {
    share: 2,
    line: (number) => `emergency enable --for 1m --reason "outage ${number}"`,
    clicks: [{ label: 'Approve', by: 'approver' }],
    takesMinutes: true,
  },
} as const satisfies Readonly<Record<string, LineKind>>;

export type LineKindName = keyof typeof lineKinds;
