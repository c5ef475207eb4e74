import type { ReceivedFile, Upgrade } from '../../company/directory.ts';
import type { Order, Route, Upload } from '../../route.ts';
import { done, refused } from './envelope.ts';
import { startUpgrade } from './upgrade.ts';
import { namesInZip } from './zip.ts';

/** Uploads: appliance-api.md §4.12. An answer says only that the file came; an upgrade runs in the background. */
export const uploads: Route[] = [
  upload('/shell_upload', 'zipcontainer', acceptShellPackage),
  upload('/system/appliance/hotfix', 'hotfix', acceptUpgrade('hotfix')),
  upload('/service_pack', 'servicepack', acceptUpgrade('service pack')),
  upload('/softwares/service_pack', 'servicepack', acceptUpgrade('service pack')),
];

/** Says why the file is refused; undefined: it is accepted. */
type Accept = (file: Upload, order: Order) => string | undefined;

function upload(path: string, field: string, accept: Accept): Route {
  return {
    method: 'POST',
    path,
    answer(order) {
      const file = order.upload;
      if (file?.field !== field) return refused(`No file in the form field ${field}`);
      if (file.size === 0) return refused(`${file.filename} is empty`);
      const objection = accept(file, order);
      return objection === undefined ? done(`${file.filename} is correctly uploaded`) : refused(objection);
    },
  };
}

function acceptUpgrade(kind: Upgrade['kind']): Accept {
  return (file, { state: { directory }, now }) => {
    if (directory.upgrade !== undefined)
      return `${directory.upgrade.file.filename} is being installed: try again later`;
    startUpgrade(directory, { kind, file: received(file, now), isArchive: isArchive(file.start) });
    return undefined;
  };
}

/** Whether the first bytes are those of gzip (a `.tgz`), or zip. Other faults of an archive are not checked. */
function isArchive(start: Buffer): boolean {
  const magic = start.toString('latin1', 0, 4);
  return magic.startsWith('\x1f\x8b') || magic === 'PK\x03\x04' || magic === 'PK\x05\x06';
}

function acceptShellPackage(file: Upload, { state, now }: Order): string | undefined {
  const { shell } = state.directory;
  if (!shell.enabled) return 'The shell execution feature is off';
  // A long file's end, where a zip lists its files, was not kept.
  if (file.size === file.start.length && !namesInZip(file.start).includes('shell.sh'))
    return `${file.filename} is not a zip file with a shell.sh`;
  shell.packages.push(received(file, now));
  return undefined;
}

export function received({ filename, size, sha256 }: Upload, at: Date): ReceivedFile {
  return { filename, size, sha256, at };
}
