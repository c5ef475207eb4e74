import { area, recordId } from '../endpoint.ts';
import { unnamedFields } from '../wire/body.ts';

/** What the declarations of the remote-desktop gateway have in common. */

export const endpoint = area({ section: '§4.6' });

export const byId = { id: recordId };

/** The fields of a thing of which the document names none (§2.14). None at all would be a thing without anything. */
export const someFields = unnamedFields.refine((fields) => Object.keys(fields).length > 0, 'has no fields');
