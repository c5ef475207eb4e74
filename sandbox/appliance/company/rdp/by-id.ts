/** Records as the gateway keeps them. */
export function byId<Kept extends { readonly id: number }>(all: readonly Kept[]): Map<number, Kept> {
  return new Map(all.map((one) => [one.id, one]));
}
