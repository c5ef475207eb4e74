/** Everything the simulated appliance can do. */
export { acl } from './acl.ts';
export { analysis } from './analysis.ts';
export { authdns } from './authdns.ts';
export { categories } from './categories.ts';
export { directory } from './directory.ts';
export { ftpd } from './ftpd.ts';
export { mirror, mirrorConsole } from './mirror.ts';
export { rdp } from './rdp.ts';
export { resolver } from './resolver.ts';
export { software } from './software.ts';
export { sqldb } from './sqldb.ts';
export { ssl } from './ssl.ts';
export { vlan } from './vlan.ts';
