import type { Endpoint } from './endpoint.ts';
import * as areas from './endpoints/index.ts';

type Areas = typeof areas;

/** Every operation by the name that calls and errors use: "rdp.disconnectSession". */
export type OperationName = {
  [Area in keyof Areas]: `${Area}.${keyof Areas[Area] & string}`;
}[keyof Areas];

/** Every operation with its declaration, in the order of the areas. */
export const operations: ReadonlyMap<OperationName, Endpoint> = new Map(
  Object.entries(areas).flatMap(([area, endpoints]) =>
    // Object.entries forgets which endpoint stands under which name; this is where the names come from.
    Object.entries(endpoints).map(([name, endpoint]) => [`${area}.${name}` as OperationName, endpoint]),
  ),
);
