import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface Authority {
  /** The file with its certificate. */
  readonly file: string;
  /** A key, and a certificate of this authority for a host name; PEM. */
  readonly certify: (host: string) => { readonly host: string; readonly key: string; readonly cert: string };
}

/** A certificate authority of the test, as companies have them, made with OpenSSL. Ends with the test. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const make = (name: string, ...more: readonly string[]) => {
    const files = { key: join(folder, `${name}.key`), cert: join(folder, `${name}.pem`) };
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const out = ['-keyout', files.key, '-out', files.cert];
    execFileSync('openssl', ['req', '-x509', ...kind, ...out, '-subj', `/CN=${name}`, ...more], {
      stdio: 'pipe',
    });
    return files;
  };
  const own = make('Company');
  return {
    file: own.cert,
    certify: (host) => {
      const issued = ['-CA', own.cert, '-CAkey', own.key, '-addext', `subjectAltName=DNS:${host}`];
      const { key, cert } = make(host, ...issued, '-addext', 'basicConstraints=critical,CA:FALSE');
      return { host, key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    },
  };
}
