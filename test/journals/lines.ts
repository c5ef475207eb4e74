/** When it was a Wednesday at 9:00, in UTC, in every journal of this folder. */
export const made = Date.UTC(2026, 9, 7, 9);

/** Lines and clicks that every one of these journals contains. */
export const lines: readonly { readonly by: string; readonly line: string; readonly press?: string }[] = [
  { by: 'alice', line: '/appliance categorize example.com' },
  { by: 'alice', line: '/appliance acl object disable google_sni' },
  { by: 'bob', line: '/appliance acl object disable google_sni' },
  { by: 'bob', line: '/appliance category add former.example.net to 252 --for 3d --reason "a fair"' },
  { by: 'bob', line: '/appliance category add planned.example.net to 252 --at "8 oct 23:00"' },
  { by: 'bob', line: '/appliance rdp disconnect 12', press: 'Disconnect' },
  { by: 'dana', line: '/appliance watch status' },
];
