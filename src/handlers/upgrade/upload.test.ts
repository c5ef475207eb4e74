import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { connectAppliance } from '../../api/index.ts';
import { FileFailure, type OnAppliance } from '../context.ts';
import { plainText } from '../reply.ts';
import { sendFile } from './upload.ts';

const content = Buffer.concat([Buffer.from('\x1f\x8b', 'latin1'), Buffer.alloc(400_000, 'x')]);
const agreed = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };

/** Sends the chat's file to a simulated appliance. */
async function send(pieces: readonly (Buffer | Error)[], isDryRun = false) {
  const simulated = await startSimulatedAppliance();
  const appliance = connectAppliance({
    name: 'hq',
    url: simulated.urls.web,
    directoryUrl: simulated.urls.directory,
  });
  onTestFinished(async () => {
    await appliance.close();
    await simulated.close();
  });
  const said: string[] = [];
  let closed = 0;
  const left = [...pieces];
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      const value = left.shift();
      if (value instanceof Error) throw value;
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    return: async () => {
      closed += 1;
      return { done: true, value: undefined };
    },
  };
  const acting = isDryRun ? appliance.dryRun(() => undefined) : appliance;
  const context: Pick<
    OnAppliance<{ readonly file: { id: string; name: string; size: number } }>,
    'args' | 'files' | 'progress'
  > = {
    args: { file: { id: 'F1', name: 'hotfix.tgz', size: content.length } },
    progress: (words) => void said.push(plainText(words)),
    files: {
      open: async () => ({ [Symbol.asyncIterator]: () => iterator }),
      digest: () => Promise.reject(new Error('not asked')),
    },
  };
  const sent = sendFile(context, agreed, (given) => acting.directory.uploadHotfix(given));
  const ended = await sent.catch((error: unknown) => error);
  return { ended, said, upgrade: simulated.state.directory.upgrade, closed: () => closed };
}

test('a confirmed file arrives whole, and progress is reported', async () => {
  const { ended, said, upgrade } = await send([content.subarray(0, 300_000), content.subarray(300_000)]);
  expect(ended).toEqual({ confirmed: true, learned: { uploaded: true } });
  expect(upgrade?.file).toMatchObject({ size: content.length, sha256: agreed.sha256 });
  expect(said.at(-1)).toBe('400 kB of 400 kB of hotfix.tgz sent');
});

test.each<[string, Buffer[]]>([
  ['other bytes of the same length', [Buffer.alloc(300_000, 'y'), content.subarray(300_000)]],
  ['a piece less', [content.subarray(0, 300_000)]],
  ['a byte less, in one piece', [content.subarray(1)]],
])('%s never arrive as a whole', async (_, pieces) => {
  const { ended, upgrade, closed } = await send(pieces);
  expect(ended).toBeInstanceOf(FileFailure);
  expect(ended).toMatchObject({
    code: 'changed',
    message: expect.stringMatching(/^hotfix\.tgz is no longer the file shown in the preview/),
  });
  expect(upgrade).toBeUndefined();
  expect(closed()).toBeGreaterThan(0);
});

test('a file that breaks off fails as the file, and not as the appliance', async () => {
  const broken = new FileFailure('no_answer', 'The connection to Slack broke.');
  const { ended, upgrade } = await send([content.subarray(0, 100_000), broken]);
  expect(ended).toBe(broken);
  expect(upgrade).toBeUndefined();
});

test('a file that is not sent is closed anyway', async () => {
  const { ended, closed, upgrade } = await send([content], true);
  expect(ended).toMatchObject({ confirmed: true });
  expect(closed()).toBeGreaterThan(0);
  expect(upgrade).toBeUndefined();
});
