/** In what ways a simulated appliance can speak and listen, and what to call each; the first is how it starts. */
export const generationNames = {
  document: 'As documented',
  'field-v1': 'As in the field',
  'field-strict': 'In the field, guarded',
} as const;

export type GenerationName = keyof typeof generationNames;

export function isGeneration(name: string): name is GenerationName {
  return Object.hasOwn(generationNames, name);
}
