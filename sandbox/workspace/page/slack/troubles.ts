import type { SlackNow } from '../../protocol.ts';

/** How many things go wrong on purpose. */
export const troublesOf = ({ troubles, deliveries, switches, scopes, connections }: SlackNow): number =>
  troubles.length +
  deliveries.length +
  switches.filter(({ value, values }) => value !== Object.keys(values)[0]).length +
  Object.values(scopes).filter((isGranted) => !isGranted).length +
  connections.filter(({ frozen }) => frozen).length;
