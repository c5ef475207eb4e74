import { createContext, useContext, useMemo } from 'react';
import type { Act, Acted, Channel, Message, Person, SharedFile, Snapshot } from '../protocol.ts';
import type { ConfirmObject } from './blocks/elements.ts';

/** An act before it is signed with the viewer's ID. */
export type Unsigned = Act extends infer One ? (One extends Act ? Omit<One, 'as'> : never) : never;

/** Everything in the workspace that a new message does not change. */
export type Directory = Omit<Snapshot, 'messages' | 'views' | 'home' | 'steps' | 'runs'>;

/** Parts that the whole page may need: the directory, and the actions. */
export interface Workspace {
  readonly directory: Directory;
  readonly theme: 'light' | 'dark';
  /** Does something as the viewer. A failure is also shown as a notice. */
  readonly act: (act: Unsigned) => Promise<Acted>;
  /** Uploads a file as the viewer, to be sent or put into a form; undefined after a failure, which is shown as a notice. */
  readonly upload: (file: File) => Promise<SharedFile | undefined>;
  /** Asks the viewer to confirm. Resolves false when the question was turned away. */
  readonly confirm: (question: ConfirmObject) => Promise<boolean>;
  readonly openThread: (channel: string, ts: string) => void;
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** All messages that the viewer sees. Apart from the rest, so that a new message does not draw all others again. */
export const MessagesContext = createContext<readonly Message[]>([]);

export const useMessages = () => useContext(MessagesContext);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('This part of the page stands outside of the workspace.');
  return workspace;
}

/** The person of a message or a mention; an unknown ID is shown as it is. */
export function personOf(directory: Directory, id: string): Person {
  return (
    directory.people.find((person) => person.id === id) ?? {
      id,
      name: id,
      realName: id,
      title: '',
      color: '#6b7280',
      isGuest: false,
      isBot: id === directory.app.botUser,
    }
  );
}

export const nameOf = (directory: Directory, id: string): string => {
  if (id === directory.app.botUser) return directory.app.name;
  const person = personOf(directory, id);
  return person.isBot ? person.realName : person.name;
};

export const channelOf = (directory: Directory, id: string): Channel | undefined =>
  directory.channels.find((channel) => channel.id === id);

/** Direct conversations have IDs that start with D, as in Slack; the page lists them apart and without the #. */
export const isDirect = (channel: Channel): boolean => channel.id.startsWith('D');

export const titleOf = (channel: Channel): string => (isDirect(channel) ? channel.name : `#${channel.name}`);

const isReply = (message: Message) => message.thread_ts !== undefined && message.thread_ts !== message.ts;

/** The channel's own messages: everything but the replies in threads, and broadcast replies, too. */
export function useChannelMessages(channel: string): readonly Message[] {
  const messages = useMessages();
  return useMemo(
    () =>
      messages.filter(
        (message) => message.channel === channel && (!isReply(message) || message.is_broadcast),
      ),
    [messages, channel],
  );
}

/** When each thread of the channel was last replied to, by the parent's ts. */
export function useLastReplies(channel: string): ReadonlyMap<string, string> {
  const messages = useMessages();
  return useMemo(() => {
    const replies = messages.filter((message) => message.channel === channel && isReply(message));
    return new Map(replies.map((reply) => [reply.thread_ts ?? '', reply.ts]));
  }, [messages, channel]);
}

/** A thread: its parent (which may be gone) and the replies, oldest first. */
export function useThread(channel: string, ts: string) {
  const here = useMessages().filter((message) => message.channel === channel);
  return {
    parent: here.find((message) => message.ts === ts),
    replies: here.filter((message) => isReply(message) && message.thread_ts === ts),
  };
}
