import { documented } from './document.ts';
import { field } from './field.ts';
import type { Generation } from './generation.ts';
import { guarded } from './guarded.ts';
import type { GenerationName } from './names.ts';

export const generations: Readonly<Record<GenerationName, Generation>> = {
  document: documented,
  'field-v1': field,
  'field-strict': guarded,
};
