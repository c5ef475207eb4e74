import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

interface Authority {
  /** The file with its certificate. */
  readonly file: string;
  /** A key, and a certificate of this authority for a host name or an IP address, that lasts so many days; PEM. */
  readonly certify: (host: string, days?: number) => Certified;
}

interface Certified {
  readonly host: string;
  readonly key: string;
  readonly cert: string;
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
    certify: (host, days = 2) => {
      const name = `subjectAltName=${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`;
      const isNoAuthority = 'basicConstraints=critical,CA:FALSE';
      const by = ['-CA', own.cert, '-CAkey', own.key];
      const { key, cert } = make(host, ...by, '-addext', name, '-addext', isNoAuthority);
      if (days !== 2) {
        // OpenSSL makes none that is over already but from a request.
        const request = `${cert}.csr`;
        const asked = ['-new', '-key', key, '-subj', `/CN=${host}`, '-addext', name, '-out', request];
        execFileSync('openssl', ['req', ...asked], { stdio: 'pipe' });
        const signed = ['-copy_extensions', 'copyall', '-CAcreateserial', '-days', String(days)];
        execFileSync('openssl', ['x509', '-req', '-in', request, ...by, ...signed, '-out', cert], {
          stdio: 'pipe',
        });
      }
      return { host, key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    },
  };
}
