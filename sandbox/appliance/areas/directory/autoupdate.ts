import type { Engine } from '../../company/directory/engine.ts';
import { withId } from '../../ids.ts';
import { Fatal, type Order, type Route } from '../../route.ts';
import { at, done, refused } from './envelope.ts';

/** Updates of the REST engine: appliance-api.md §4.12, §2.11. */
export const autoupdate = [
  ...at(
    '/autoupdate/refresh',
    byAnEngineThatCan(({ state: { directory } }) => {
      directory.engine.index = new Map(directory.engine.repository);
      return index(directory.engine, 'The index is downloaded');
    }),
  ),
  ...at(
    '/autoupdate/index',
    byAnEngineThatCan(({ state }) => index(state.directory.engine, '')),
  ),
  ...at('/autoupdate/update/{key}', byAnEngineThatCan(update)),
];

/** Before 1.189 the engine has no such operations (§9.3). */
function byAnEngineThatCan(answer: (order: Order) => unknown): Route['answer'] {
  return (order) => {
    const [major = 0, minor = 0] = order.state.directory.engine.version.split('.').map(Number);
    if (major < 1 || (major === 1 && minor < 189)) throw new Fatal(404);
    return answer(order);
  };
}

function index({ index }: Engine, info: string) {
  const entries = [...index].map(([key, { version, uri, md5 }]) => [
    key,
    { VERSION: version, URI: uri, MD5: md5 },
  ]);
  return { ...done(info), index: Object.fromEntries(entries) };
}

function update({ state, slots }: Order) {
  const { engine } = state.directory;
  const key = slots.get('key');
  const wanted = withId(engine.index, key);
  if (wanted === undefined) return refused(`The index has no version with the key ${key}`);
  engine.version = wanted.version;
  return done(`The REST engine is updated to ${wanted.version}`);
}
