/** One kind of line that people type, and what may come of it. Nothing here knows the bot: it is what the manual says. */
export interface LineKind {
  /** How many of a hundred lines are of it. */
  readonly share: number;
  readonly line: (number: number) => string;
  /** Buttons that are pressed one after the other, with who presses them; the asker unless told. */
  readonly clicks?: readonly { readonly label: string; readonly by?: 'approver' }[];
  /** Whether a form opens, which is then filled in. */
  readonly form?: Readonly<Record<string, string>>;
}

export const lineKinds = {
  lookup: { share: 30, line: (number) => `categorize host-${number}.example` },
  none: { share: 8, line: (number) => `pleese look at host-${number} for me` },
  rehearsed: { share: 6, line: (number) => `rdp disconnect ${number} --dry-run` },
  disable: {
    share: 16,
    line: (number) => `rdp policy disable Policy-${number}`,
    clicks: [{ label: 'Undo' }],
  },
  disconnect: {
    share: 16,
    line: (number) => `rdp disconnect ${number}`,
    clicks: [{ label: 'Disconnect' }],
  },
  remove: {
    share: 8,
    line: (number) => `rdp policy delete Policy-${number}`,
    clicks: [{ label: 'Approve', by: 'approver' }],
  },
  object: { share: 6, line: (number) => `acl object disable object-${number}` },
  password: {
    share: 6,
    line: (number) => `rdp member password user-${number}`,
    form: { 'New password': 'correct horse battery' },
    clicks: [{ label: 'Set password' }],
  },
  emergency: {
    share: 4,
    line: (number) => `emergency enable --for 1m --reason "outage ${number}"`,
    clicks: [{ label: 'Approve', by: 'approver' }],
  },
} as const satisfies Readonly<Record<string, LineKind>>;

export type LineKindName = keyof typeof lineKinds;
