import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const schema = JSON.parse(read('appliance-bot.schema.json'));
const validate = new Ajv({
  strict: true,
  strictRequired: false,
  allErrors: true,
  allowUnionTypes: true,
}).compile(schema);
const example = read('appliance-bot.example.yml');
const problemsWith = (yaml: string) => {
  validate(parse(yaml));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
const small = 'appliances: { hq: { url: http://x } }\n';

test('the example fits the schema, and names it for editors in its first line', () => {
  expect(problemsWith(example)).toEqual([]);
  expect(example.split('\n')[0]).toBe('# yaml-language-server: $schema=./appliance-bot.schema.json');
});

test('every setting of the schema has a description, and stands in the example', () => {
  const left: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('properties' in node && typeof node.properties === 'object') {
      for (const [name, setting] of Object.entries(node.properties ?? {})) {
        if (typeof setting?.description !== 'string') left.push(`${path}.${name} has no description`);
        if (!new RegExp(`\\b${name}:`).test(example))
          left.push(`Add to appliance-bot.example.yml, as it may be used: ${name}: …`);
      }
    }
    for (const [key, inner] of Object.entries(node)) if (key !== 'examples') walk(inner, `${path}.${key}`);
  };
  walk(schema, '');
  expect(left).toEqual([]);
});

test.each([
  ['no appliances', 'channels: {}', " must have required property 'appliances'"],
  ['a setting that does not exist', `${small}chanels: {}`, ' must NOT have additional properties'],
  [
    'a name for a channel',
    `${small}channels: { helpdesk: { appliance: hq, roles: {} } }`,
    '/channels must match pattern "^[CGD][A-Z0-9]{2,}$"',
  ],
  [
    'a channel without roles',
    `${small}channels: { C0A: { appliance: hq } }`,
    "/channels/C0A must have required property 'roles'",
  ],
  [
    'a secret in the file',
    'appliances: { hq: { url: http://x, key: hush } }',
    expect.stringMatching(/^\/appliances\/hq\/key must match pattern/),
  ],
  [
    'a person by name',
    `${small}holders: { admin: [dana] }`,
    expect.stringMatching(/^\/holders\/admin\/0 must match pattern/),
  ],
  [
    'a phrase that is no command',
    `${small}approvals: [{ by: admin, commands: [{ phrase: rdp disconect }] }]`,
    '/approvals/0/commands/0/phrase must be equal to one of the allowed values',
  ],
  [
    'an area that no command has',
    `${small}approvals: [{ by: admin, commands: [{ area: rpd }] }]`,
    '/approvals/0/commands/0/area must be equal to one of the allowed values',
  ],
  [
    'a rule without a condition',
    `${small}roles: { x: { summary: x, commands: [{}] } }`,
    '/roles/x/commands/0 must match a schema in anyOf',
  ],
  [
    'limits without a phrase',
    `${small}roles: { x: { summary: x, commands: [{ area: rdp, where: { session: [1] } }] } }`,
    '/roles/x/commands/0 must have property phrase when property where is present',
  ],
  [
    'limits that limit nothing',
    `${small}roles: { x: { summary: x, commands: [{ phrase: category add, where: {} }] } }`,
    '/roles/x/commands/0/where must NOT have fewer than 1 properties',
  ],
  [
    'an argument that no command has',
    `${small}roles: { x: { summary: x, commands: [{ phrase: category add, where: { categry: [1] } }] } }`,
    '/roles/x/commands/0/where property name must be valid',
  ],
  [
    'an effect that does not exist',
    `${small}roles: { x: { summary: x, commands: [{ effect: wrote }] } }`,
    '/roles/x/commands/0/effect must be equal to one of the allowed values',
  ],
  [
    'a time without a unit',
    `${small}emergency: { longest: "30" }`,
    expect.stringMatching(/^\/emergency\/longest must match pattern/),
  ],
  [
    'sharing that is neither',
    `${small}channels: { C0A: { appliance: hq, roles: {}, shared: yes } }`,
    '/channels/C0A/shared must be equal to one of the allowed values',
  ],
])('%s does not fit the schema', (_, yaml, problem) => {
  expect(problemsWith(yaml)).toContainEqual(problem);
});
