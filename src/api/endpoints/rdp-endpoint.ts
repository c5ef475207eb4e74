import { area, recordId } from '../endpoint.ts';
import { unnamedFields } from '../wire/body.ts';

/** Shared by the declarations of the remote-desktop gateway. */

export const endpoint = area({ section: '§4.6' });

/** @param list the operation that returns the IDs */
export const byId = (thing: string, list: string) => ({
  id: recordId.describe(`The ID of the ${thing}, as \`rdp.${list}\` gives it.`),
});

/** The fields of a thing without documented names (§2.14). No fields at all would be an empty thing. */
export const someFields = unnamedFields
  .refine((fields) => Object.keys(fields).length > 0, 'has no fields')
  .describe('The fields, under the names that the appliance uses.');
