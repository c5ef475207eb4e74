import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and the key that belongs to it, both PEM. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

/**
 * A self-signed certificate for 127.0.0.1 and localhost, as appliances come with one. Its validity never ends, so that no
 * test depends on a date.
 */
export function selfSigned(): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('Simulated appliance')))));
  const told = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    // RFC 5280 §4.1.2.5: the end of a certificate that has none.
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x18, Buffer.from('99991231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(isAuthority, alternativeNames)),
  );
  // The signature has whole bytes: no bit of the last one is unused.
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', told, privateKey)]));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(told, algorithm, signature)),
  };
}

/** A value in the encoding of certificates (X.690): its tag, its length, its content. */
function der(tag: number, ...values: readonly Buffer[]): Buffer {
  const value = Buffer.concat(values);
  const length =
    value.length < 0x80
      ? [value.length]
      : value.length < 0x100
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...values: readonly Buffer[]): Buffer => der(0x30, ...values);
const integer = (value: Buffer): Buffer => der(0x02, value);
const oid = (hexadecimal: string): Buffer => der(0x06, Buffer.from(hexadecimal, 'hex'));
const yes = der(0x01, Buffer.from([0xff]));

/** The certificate is its own authority, so that clients can trust it directly. */
const isAuthority = sequence(oid('551d13'), yes, der(0x04, sequence(yes)));
const alternativeNames = sequence(
  oid('551d11'),
  der(0x04, sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))),
);

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
