/** Reads a typed reference. People may type a letter instead of a digit. */
export function readReference(typed: string): string | undefined {
  const [, digits] = /^A-([0-9A-TV-Z]{8})$/.exec(typed.toUpperCase()) ?? [];
  return digits && `A-${digits.replaceAll('O', '0').replaceAll(/[IL]/g, '1')}`;
}
