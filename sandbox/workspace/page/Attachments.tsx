import type { ReactNode } from 'react';
import type { Attachment, Message } from '../protocol.ts';
import { Blocks } from './blocks/Blocks.tsx';
import { SurfaceProvider, useEntered } from './blocks/surface.tsx';
import { Text } from './blocks/Text.tsx';
import { Files } from './Files.tsx';

/** Extra content under a message's own text: attachments of the app, and previews of links (`chat.unfurl`). */
export function Attachments({ message }: { readonly message: Message }) {
  return message.attachments?.map((attachment, index) => (
    <OneAttachment
      // Only what the app shows of a link has an identity: the link.
      key={attachment.from_url ?? index}
      message={message}
      attachment={attachment}
    />
  ));
}

interface Props {
  readonly message: Message;
  readonly attachment: Attachment;
}

/** Slack's three names of colours; all others are hexadecimal, with or without the #. */
const named: Readonly<Record<string, string>> = { good: '#2fae60', warning: '#e0a21f', danger: '#c9184a' };

function barColor(color: string | undefined): string | undefined {
  if (!color) return undefined;
  return named[color] ?? (/^#?[\da-f]{3,8}$/i.test(color) ? `#${color.replace('#', '')}` : undefined);
}

function OneAttachment({ message: { channel, ts }, attachment }: Props) {
  const entered = useEntered();
  const { author_name, title, title_link, pretext, text, fields, image_url, footer, fallback } = attachment;
  const blocks = attachment.blocks ?? [];
  const isEmpty = blocks.length === 0 && !title && !text && !pretext && !fields?.length && !image_url;
  return (
    <>
      {pretext && <Written text={pretext} />}
      <div className="attachment" style={{ borderLeftColor: barColor(attachment.color) }}>
        {author_name && <div className="attachment-author">{author_name}</div>}
        {title && (
          <div className="attachment-title">{title_link ? <Link to={title_link}>{title}</Link> : title}</div>
        )}
        {text && <Written text={text} />}
        {fields?.map((field, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no identity of their own
          <div key={index}>
            <b>{field.title}</b>
            <Written text={field.value ?? ''} />
          </div>
        ))}
        {blocks.length > 0 && (
          <SurfaceProvider container={{ kind: 'message', channel, ts }} blocks={blocks} entered={entered}>
            <Blocks blocks={blocks} />
          </SurfaceProvider>
        )}
        {/* The page loads nothing from other machines. */}
        {image_url && <Link to={image_url}>Image: {image_url}</Link>}
        {attachment.files && <Files files={attachment.files} />}
        {isEmpty && !attachment.files && fallback}
        {footer && <div className="attachment-author">{footer}</div>}
      </div>
    </>
  );
}

function Link({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function Written({ text }: { readonly text: string }) {
  return (
    <div className="message-text">
      <Text of={{ type: 'mrkdwn', text }} />
    </div>
  );
}
