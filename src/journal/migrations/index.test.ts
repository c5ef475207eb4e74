import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formerNames } from './former-names.ts';
import { migrations } from './index.ts';

const folder = new URL('.', import.meta.url);
const names = [...migrations.keys()];
const files = readdirSync(folder).filter((file) => /^\d/.test(file));

/** The first digits of the SHA-256 of each, and of what they share. */
const held = {
  '0001-actions.ts': '587bea037db3',
  '0002-kept.ts': 'ae5472bfb770',
  '0003-owed.ts': 'bb72f838d7c9',
  '0004-approvals.ts': 'b10f41dab718',
  '0005-leases.ts': '674ec745b546',
  '0006-reloads.ts': 'b57ecf85974a',
  '0007-outbox.ts': 'dca372ab7223',
  '0008-replicas.ts': 'b225d5981eed',
  '0009-audit.ts': 'b62f49dd01bd',
  '0010-reload-replicas.ts': 'c169a3eaf5bc',
  '0011-kept-taken.ts': '4094b2d569c5',
  '0012-delivery-holders.ts': 'bf47fb76da7d',
  '0013-action-deliveries.ts': '630ff527eaad',
  '0014-schema-drift.ts': '6fdb3c0df16f',
  '0015-interactions.ts': 'ac2451e51bc0',
  '0016-plain-names.ts': '7074fae6bce0',
  '0017-generations.ts': '93c0bc8228ff',
  '0018-replica-state.ts': '965970b9b865',
  '0019-claims.ts': 'ab69da9df5f5',
  '0020-understood-as.ts': '86c69770f9b3',
  '0021-places.ts': 'f2d04f71cc7a',
  '0022-watches.ts': '62b39bbe7126',
  '0023-workflow-steps.ts': '20ab1cc560b7',
  '0024-temporary-changes.ts': '6850608ebea3',
  '0025-tickets.ts': 'fca4ccbb743e',
  '0026-site-requests.ts': '654749dbf591',
  '0027-planned.ts': '56aefd2b6f2a',
  '0028-webhooks.ts': 'd0ab0f29849e',
  '0029-plans.ts': '0003cfb8763f',
  '0030-told.ts': '5095867cf3e2',
  '0031-sizes.ts': '9f15da662ac8',
  '0032-site-requests-in.ts': 'be8380c36f1f',
  '0033-audit-verified.ts': 'd1ca8b204f87',
  '0034-cleaning.ts': 'b660a1618811',
  '0035-order.ts': '83b1873d9599',
  '0036-ordered-ends.ts': '6b5bae8005ef',
  '0037-one-holder.ts': 'dfbbbfaf237d',
  '0038-one-request.ts': '6c2b265629c4',
  'columns.ts': '4d35e2b59d6d',
};

test('every migration has the next number, and every file is one', () => {
  expect(
    names.map((name) => name.slice(0, 5)),
    'The numbers of the migrations have no gap and stand in their order. Another branch was first? Take the next number.',
  ).toEqual(names.map((_, index) => `${String(index + 1).padStart(4, '0')}-`));
  const advice = files
    .filter((file) => !names.includes(file.replace(/\.ts$/, '')))
    .map((file) => {
      const [, number, words] = /^(\d+)-(.+)\.ts$/.exec(file) ?? [];
      return `Add to index.ts: import * as … from './${file}'; and at the end of its list: '${number}': ['${words}', …],`;
    });
  expect(advice).toEqual([]);
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.ts`));
});

test('a migration that journals were made with is never changed', () => {
  const digests = Object.fromEntries(
    [...files, 'columns.ts'].map((file) => {
      const digest = createHash('sha256').update(readFileSync(new URL(file, folder)));
      return [file, digest.digest('hex').slice(0, 12)];
    }),
  );
  const advice = Object.entries(digests)
    .filter(([file]) => !Object.hasOwn(held, file))
    .map(([file, digest]) => `Add to \`held\`: '${file}': '${digest}',`);
  expect(advice).toEqual([]);
  expect(
    digests,
    'On the main branch, a migration and what it is made of stay as they are: put that back, and change the tables by a new migration. One that is only on your branch: put its digest here.',
  ).toEqual(held);
});

test('what former names stand for are the first migrations, in their order', () => {
  expect([...formerNames.values()]).toEqual(names.slice(0, formerNames.size));
  expect([...formerNames.keys()].toSorted()).toEqual([...formerNames.keys()]);
});
