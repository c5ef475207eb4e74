import { area, recordId } from '../endpoint.ts';
import { unnamedFields } from '../wire/body.ts';

/** What the declarations of the remote-desktop gateway have in common. */

export const endpoint = area({ section: '§4.6' });

/** @param list the operation that tells the IDs */
export const byId = (thing: string, list: string) => ({
  id: recordId.describe(`The ID of the ${thing}, as \`rdp.${list}\` gives it.`),
});

/** The fields of a thing of which the document names none (§2.14). None at all would be a thing without anything. */
export const someFields = unnamedFields
  .refine((fields) => Object.keys(fields).length > 0, 'has no fields')
  .describe('The fields, under the names that the appliance uses.');
