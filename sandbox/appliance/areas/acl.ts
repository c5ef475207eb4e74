import type { Area } from '../route.ts';
import { objects } from './acl/objects.ts';
import { recordSwitches } from './acl/record-switches.ts';
import { records } from './acl/records.ts';

/** ACL objects and their records: appliance-api.md §4.1. All orders change only the configuration, until a compile. */
export const acl: Area = { routes: [...objects, ...records, ...recordSwitches] };
