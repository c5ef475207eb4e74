import { useRef, useState } from 'react';
import type { SharedFile } from '../../protocol.ts';
import { FileChip } from '../Files.tsx';
import { PaperclipIcon } from '../icons.tsx';
import { useWorkspace } from '../workspace.ts';
import { useSurface } from './surface.tsx';
import { type UsableProps, useChange } from './usable.ts';

/** Files of a form: each is uploaded when it is picked, and goes to the app with the form. */
export function FileInput(props: UsableProps) {
  const { blockId, element, labelled } = props;
  const surface = useSurface();
  const { upload } = useWorkspace();
  const change = useChange(props);
  const picker = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const most = element.max_files ?? 10;
  // The field holds what `change` put there: files as the server described them.
  const files = surface.read(blockId, element).files as readonly SharedFile[];

  const add = async (picked: Iterable<File>) => {
    setBusy(true);
    const added: SharedFile[] = [];
    for (const file of picked) {
      const uploaded = await upload(file);
      if (uploaded) added.push(uploaded);
    }
    setBusy(false);
    if (added.length > 0) change({ files: [...files, ...added].slice(0, most) });
  };
  const does = most === 1 ? 'Upload a file' : 'Upload files';
  return (
    <span className="file-input">
      {files.map((file) => (
        <FileChip
          key={file.id}
          file={file}
          onRemove={() => change({ files: files.filter((other) => other !== file) })}
        />
      ))}
      {files.length < most && (
        <button
          id={labelled?.id}
          type="button"
          className="button button-upload"
          // Its own text comes first, so that it can be called by that, too.
          aria-label={labelled && `${busy ? uploading : does}: ${labelled.label}`}
          aria-describedby={labelled?.describedBy}
          aria-busy={busy}
          disabled={busy}
          onClick={() => picker.current?.click()}
        >
          <PaperclipIcon />
          {busy ? uploading : does}
        </button>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        multiple={most > 1}
        // The app's filter; the person can turn it off, so the app has to check.
        accept={element.filetypes?.map((type) => `.${type}`).join(',')}
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          // So that the same file can be picked again.
          event.target.value = '';
        }}
      />
    </span>
  );
}

const uploading = 'Uploading…';
