import { fileSize } from '../plain/file-size.ts';
import type { SharedFile } from '../protocol.ts';
import { csvRows } from './csv.ts';
import { CloseIcon, DownloadIcon, FileIcon } from './icons.tsx';
import { useWorkspace } from './workspace.ts';

/** The files of a message: name, size, a preview, and a download. */
export function Files({ files }: { readonly files: readonly SharedFile[] }) {
  return (
    <ul className="files" aria-label="Files">
      {files.map((file) => (
        <li key={file.id} className="file">
          <File file={file} />
        </li>
      ))}
    </ul>
  );
}

function File({ file }: { readonly file: SharedFile }) {
  const { directory } = useWorkspace();
  const address = `/sandbox/file/${file.id}?${new URLSearchParams({ as: directory.viewer })}`;
  const about = [...(file.title === file.name ? [] : [file.name]), file.pretty_type, fileSize(file.size)];
  return (
    <>
      <div className="file-head">
        <span className="file-mark">
          <FileIcon />
        </span>
        <span className="file-words">
          <span className="file-name">{file.title}</span>
          <span className="file-about">{about.join(' · ')}</span>
        </span>
        <a
          className="file-download"
          href={address}
          download={file.name}
          aria-label={`Download ${file.name}`}
          title={`Download ${file.name}`}
        >
          <DownloadIcon />
        </a>
      </div>
      <Look file={file} address={address} />
    </>
  );
}

/** A short preview of the content. */
function Look({ file, address }: { readonly file: SharedFile; readonly address: string }) {
  if (/^image\/(png|jpeg|gif)$/.test(file.mimetype))
    return <img className="file-image" src={address} alt={file.alt_txt ?? file.title} />;
  if (file.preview === undefined) return null;
  const cut = file.preview_is_truncated === true;
  if (file.mimetype !== 'text/csv')
    return (
      <pre className={`file-text${cut ? ' file-cut' : ''}`}>
        <code>{file.preview}</code>
      </pre>
    );
  const [head = [], ...rows] = csvRows(file.preview);
  return (
    <div className={`file-table${cut ? ' file-cut' : ''}`}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              // Columns have no identity of their own, and never change places.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th key={index}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor have rows
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor have cells
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ChipProps {
  readonly file: SharedFile;
  readonly onRemove: () => void;
}

/** A file that was picked and is not sent yet. */
export function FileChip({ file, onRemove }: ChipProps) {
  return (
    <span className="file-chip">
      <FileIcon />
      <span className="file-name">{file.name}</span>
      <span className="file-about">{fileSize(file.size)}</span>
      <button type="button" className="plain-button" aria-label={`Remove ${file.name}`} onClick={onRemove}>
        <CloseIcon />
      </button>
    </span>
  );
}
