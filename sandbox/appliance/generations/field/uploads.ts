import { received } from '../../areas/directory/uploads.ts';
import { fileInZip, namesInZip } from '../../areas/directory/zip.ts';
import type { Order, Upload } from '../../route.ts';
import { couldNot, type Layer, type Layers, over, said } from '../generation.ts';

/** Uploads to the directory engine. */
export const uploads: Layers = {
  ...over(['POST /service_pack', 'POST /softwares/service_pack'], servicePack()),
  'POST /shell_upload': shellPackage,
};

/** A zip is a personal patch, and installed at once. */
function servicePack(): Layer {
  const uploaded = said(({ upload, from }) => ({
    status: true,
    info: `${nameOf(upload)} uploaded Service Pack with ${upload?.size} bytes from ${from}`,
  }));
  return (order, documented) => {
    const { upload, state, now } = order;
    const { licence, patches } = state.directory;
    const isPatch = upload?.field === 'servicepack' && upload.start.toString('latin1', 0, 2) === 'PK';
    if (!isPatch || licence !== 'valid') return uploaded(order, documented);
    patches.push(received(upload, now));
    return {
      status: true,
      info: `${nameOf(upload)} installed personal patch with ${upload.size} bytes`,
    };
  };
}

function nameOf(upload: Upload | undefined): string {
  return `${upload?.filename} [${upload?.type}]`;
}

/** The appliance reads the script's own header first for its ID and its password, which must be the appliance's. */
function shellPackage(order: Order, documented: (order: Order) => unknown): unknown {
  const { upload, state } = order;
  const { shell, licence } = state.directory;
  if (licence !== 'valid' || upload?.field !== 'zipcontainer') return documented(order);
  const isZip = namesInZip(upload.start).length > 0;
  const script = fileInZip(upload.start, 'shell.sh') ?? '';
  const id = variableIn(script, 'SCRIPT_ID');
  const no = (info: string) => ({ ...couldNot(info), id });
  if (!shell.enabled) return no('Shell execution feature is disabled, Aborting');
  if (shell.password === '') return no('No shell password is set on this server');
  if (!isZip) return no(`${upload.filename} is not a zip file`);
  if (variableIn(script, 'SHELL_PASS') !== shell.password) return no('Wrong shell password');
  return said(() => ({ status: true, info: `${upload.filename} accepted`, id }))(order, documented);
}

/** As the script sets it; '' when it does not. */
function variableIn(script: string, name: string): string {
  const [, value = ''] = new RegExp(`^\\s*(?:export\\s+)?${name}=(.*)$`, 'm').exec(script) ?? [];
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}
