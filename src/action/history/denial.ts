import { denialCodes } from '../../auth/decide.ts';

/** What somebody may not do, or might not any more when it was confirmed (`recheck.ts`). */
export const isDenial = (code: string): boolean =>
  Object.hasOwn(denialCodes, code) || code === 'denied' || code === 'asker_denied' || notTheirs.has(code);

/** A click on a button that is somebody else's, or for others; a channel that is none of theirs. */
const notTheirs: ReadonlySet<string> = new Set([
  'not_your_offer',
  'not_yours',
  'not_yours_to_withdraw',
  'not_an_approver',
  'own_request',
  'not_member',
]);
