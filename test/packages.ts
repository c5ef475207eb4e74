import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { GivenFile } from '../sandbox/person.ts';
import { type Conversation, converse } from './conversation.ts';

/** Files that people hand to the bot for an appliance. */
export const hotfixFile = {
  name: 'hotfix-20261120-01.tgz',
  content: gzipSync(Buffer.alloc(50_000, 'a hotfix ')),
} satisfies GivenFile;

export async function zipFile(name: string, entries: Readonly<Record<string, string>>): Promise<GivenFile> {
  const zip = new ZipFile();
  for (const [entry, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), entry);
  zip.end();
  return { name, content: await buffer(zip.outputStream) };
}

/** A conversation in which something happens whenever the bot waits. */
export async function converseInTime(
  happens: (conversation: Conversation, milliseconds: number) => void,
): Promise<Conversation> {
  let conversation: Conversation | undefined;
  conversation = await converse({
    world: {
      sleep: async (milliseconds) => {
        if (conversation === undefined) return;
        conversation.wait(milliseconds);
        happens(conversation, milliseconds);
      },
    },
  });
  return conversation;
}

/** The upgrade of the appliance gets no further. */
export function upgradeStandsStill({ appliance }: Conversation, milliseconds: number): void {
  const at = appliance.state.directory.upgrade?.file.at;
  at?.setTime(at.getTime() + milliseconds);
}

/** The message with the newest file, as a shortcut is run on it. */
export function messageWithFile({ workspace }: Conversation): string {
  const alice = workspace.people.find(({ name }) => name === 'alice')?.id ?? '';
  const found = workspace.snapshot(alice).messages.findLast(({ files = [] }) => files.length > 0);
  if (found === undefined) throw new Error('Nobody has posted a file');
  return found.ts;
}

/** Posts a file as this person and runs the shortcut on it. */
export async function send(
  conversation: Conversation,
  file: GivenFile,
  by = 'dana',
  channel = 'helpdesk',
): Promise<string> {
  const person = conversation.person(by);
  await person.attach(channel, 'for the appliance', file);
  await person.shortcut(channel, 'Send to appliance', messageWithFile(conversation));
  return conversation.read(by, channel);
}
