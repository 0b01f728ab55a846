/** Certificates for tests of TLS. */
import { execFileSync } from 'node:child_process'

/**
 * Makes a self-signed certificate for names such as `DNS:localhost`, in the files FILE.key and FILE.crt. It is its own
 * authority.
 */
export function certify(file: string, names: string): string {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=petstore', '-addext', `subjectAltName=${names}`]
  execFileSync('openssl', [...args, ...subject, '-keyout', `${file}.key`, '-out', `${file}.crt`], { stdio: 'ignore' })
  return file
}
