import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { SharedFile } from '../protocol.ts';
import { completionsOf } from './completions.ts';
import { FileChip } from './Files.tsx';
import { BoltIcon, PaperclipIcon, SendIcon } from './icons.tsx';
import { Menu } from './Menu.tsx';
import { useWorkspace } from './workspace.ts';

interface Props {
  readonly label: string;
  readonly channel: string;
  readonly thread?: string;
  /** A line to begin with; a new object puts its text into the box. */
  readonly start?: { readonly text: string } | undefined;
  readonly onSend: () => void;
}

export function Composer({ label, channel, thread, start, onSend }: Props) {
  const { directory, act, upload } = useWorkspace();
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly SharedFile[]>([]);
  const [uploading, setUploading] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const lastSent = useRef('');
  const box = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();

  const { title, heading, offered } = completionsOf(text, directory);
  const popup = offered.length > 0 && !dismissed;
  const typedCommand = directory.commands.find((hint) => text.startsWith(`${hint.command} `));

  // The box grows with its text, up to the height that the sheet allows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text that the box holds
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.height = 'auto';
    box.current.style.height = `${box.current.scrollHeight}px`;
  }, [text]);

  useEffect(() => {
    if (!start) return;
    setText(start.text);
    box.current?.focus();
  }, [start]);

  const change = (next: string) => {
    setText(next);
    setActive(0);
    setDismissed(false);
  };
  const ready = uploading === 0 && (text.trim() !== '' || files.length > 0);
  const sendLine = async () => {
    if (!ready) return;
    lastSent.current = text;
    change('');
    setFiles([]);
    onSend();
    const sent = await act({
      act: 'type',
      channel,
      text,
      ...(thread && { thread_ts: thread }),
      ...(files.length > 0 && { files: files.map(({ id: file }) => file) }),
    });
    // Restores the files of a refused message, so that nobody has to pick them again.
    if (!sent.ok) setFiles((since) => [...files, ...since]);
  };
  const attach = async (picked: Iterable<File>) => {
    const all = [...picked];
    setUploading((count) => count + all.length);
    for (const file of all) {
      const uploaded = await upload(file);
      if (uploaded) setFiles((last) => [...last, uploaded]);
      setUploading((count) => count - 1);
    }
    box.current?.focus();
  };
  const complete = (completed: string) => {
    change(`${completed} `);
    box.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = offered[active];
    const plainEnter = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (popup && choice && (event.key === 'Tab' || (plainEnter && text !== choice.text)))
      complete(choice.text);
    else if (popup && event.key === 'Escape') setDismissed(true);
    else if (popup && step) setActive((active + step + offered.length) % offered.length);
    else if (plainEnter) void sendLine();
    else if (event.key === 'ArrowUp' && text === '' && lastSent.current) change(lastSent.current);
    else return;
    event.preventDefault();
  };

  return (
    <div className="composer">
      {popup && (
        <div className="floating commands" role="listbox" id={`${id}-commands`} aria-label={title}>
          <div className="commands-head">{heading}</div>
          {offered.map((hint, index) => (
            <div
              key={hint.name}
              role="option"
              tabIndex={-1}
              id={`${id}-${index}`}
              aria-selected={index === active}
              className={`command${index === active ? ' active' : ''}`}
              onMouseMove={() => setActive(index)}
              onMouseDown={(event) => {
                event.preventDefault();
                complete(hint.text);
              }}
            >
              <span className="command-line">
                <b>{hint.name}</b> <span className="usage">{hint.usage}</span>
              </span>
              <span className="command-description">{hint.says}</span>
            </div>
          ))}
          <div className="commands-foot">
            <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Tab</kbd> or <kbd>Enter</kbd> to take
          </div>
        </div>
      )}
      {typedCommand && (
        <div className="usage-hint" id={`${id}-usage`}>
          <b>{typedCommand.command}</b> <span className="usage">{typedCommand.usage_hint}</span>
        </div>
      )}
      <div className="composer-box">
        {(files.length > 0 || uploading > 0) && (
          <ul className="composer-files" aria-label="Files to send">
            {files.map((file) => (
              <li key={file.id}>
                <FileChip
                  file={file}
                  onRemove={() => setFiles((last) => last.filter((other) => other !== file))}
                />
              </li>
            ))}
            {uploading > 0 && (
              <li className="uploading" role="status">
                Uploading…
              </li>
            )}
          </ul>
        )}
        <button
          type="button"
          className="composer-tool"
          aria-label="Attach a file"
          title="Attach a file"
          onClick={() => picker.current?.click()}
        >
          <PaperclipIcon />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void attach(event.target.files ?? []);
            // So that the same file can be picked again.
            event.target.value = '';
          }}
        />
        {directory.globalShortcuts.length > 0 && (
          <Menu
            label="Shortcuts"
            className="composer-tool"
            trigger={<BoltIcon />}
            heading={`Shortcuts of ${directory.app.name}`}
            items={directory.globalShortcuts.map(({ callback_id, name, description }) => ({
              key: callback_id,
              onSelect: () => void act({ act: 'global_shortcut', callback_id }),
              content: (
                <span className="switcher-who">
                  {name}
                  <span className="choice-description">{description}</span>
                </span>
              ),
            }))}
          />
        )}
        <textarea
          ref={box}
          rows={1}
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes('Files')) event.preventDefault();
          }}
          onDrop={(event) => {
            if (event.dataTransfer.files.length === 0) return;
            event.preventDefault();
            void attach(event.dataTransfer.files);
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            void attach(event.clipboardData.files);
          }}
          aria-controls={popup ? `${id}-commands` : undefined}
          aria-activedescendant={popup ? `${id}-${active}` : undefined}
          aria-describedby={typedCommand ? `${id}-usage` : undefined}
        />
        <button
          type="button"
          className={`send${ready ? ' send-ready' : ''}`}
          aria-label="Send"
          onClick={() => {
            void sendLine();
            box.current?.focus();
          }}
        >
          <SendIcon />
        </button>
      </div>
    </div>
  );
}
