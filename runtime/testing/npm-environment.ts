/** With the certificates that the runner keeps from other processes: npm may need them for its registry. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const certificates = process.env['SVC_TEST_CA_CERTS'];
  return certificates === undefined ? process.env : { ...process.env, NODE_EXTRA_CA_CERTS: certificates };
}
