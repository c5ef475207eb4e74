import { z } from 'zod';
import { vocabularyOf } from '../src/action/authority/authority.ts';
import { naming } from '../src/auth/rule.ts';
import { fileShape } from '../src/config/shape/file-shape.ts';
import { rule } from '../src/config/shape/rule-shape.ts';
import { commands } from '../src/handlers/registry.ts';

/**
 * appliance-bot.schema.json, by which editors complete and check the policy file: the shape that the bot itself reads
 * it by, with the words that only the commands know. Draft 7 is what editors' YAML language server speaks.
 */
export function policySchema(): object {
  const schema = z.toJSONSchema(fileShape, {
    io: 'input',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === rule) addWords(jsonSchema);
    },
  });
  return { title: 'The policy file of Appliance Bot', ...schema };
}

function addWords(schema: z.core.JSONSchema.BaseSchema): void {
  const { areas, phrases } = vocabularyOf(commands);
  const { area, phrase, where } = schema.properties ?? {};
  if (typeof area !== 'object' || typeof phrase !== 'object' || typeof where !== 'object') {
    throw new Error('A rule is not made of an area, a phrase and a where any more');
  }
  area.enum = [...areas];
  phrase.enum = [...phrases.keys()];
  where.propertyNames = { enum: [...new Set([...phrases.values()].flat())].toSorted() };
  // Adds rules that the shape has in words only.
  schema.anyOf = naming.map((name) => ({ required: [name] }));
  schema.dependencies = { where: ['phrase'] };
}
