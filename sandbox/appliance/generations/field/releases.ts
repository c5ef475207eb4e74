/** Operations that came with 4.50 SP5 (appliance-api.md §9). */
const newer: readonly RegExp[] = [
  / \/proxy\/acls\/record\/(find|add|enable|disable|delete)\//,
  / \/proxy\/acls\/object\//,
  / \/proxy\/ssl\/build$/,
  / \/proxy\/acls\/ssl\/rules$/,
  / \/categories\/(query|list|create|quick|move|delete)\b/,
  / \/webfilter\/rules\/compile$/,
];

/** Whether an appliance of an earlier release does not have the operation. */
export function isNewerThanEarlier(operation = ''): boolean {
  return newer.some((pattern) => pattern.test(operation));
}
