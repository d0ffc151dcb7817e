const form = document.querySelector('form');
const field = document.querySelector('input');
const message = document.getElementById('message');
const button = document.querySelector('button');

/** Turns the credential into a cookie, and loads the page again with it. */
async function signIn(credential: string): Promise<void> {
  show('');
  button?.setAttribute('disabled', '');
  try {
    const response = await fetch(form?.dataset['session'] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ credential }),
    });
    if (response.ok) location.reload();
    else show(await reasonIn(response));
  } catch {
    show('The host is not responding.');
  }
  button?.removeAttribute('disabled');
  field?.select();
}

async function reasonIn(response: Response): Promise<string> {
  if (response.status === 401) return 'That token or key was not accepted.';
  const { detail } = (await response.json().catch(() => ({}))) as { readonly detail?: string };
  return detail ?? `The host answered ${response.status}.`;
}

function show(text: string): void {
  if (message !== null) message.textContent = text;
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const credential = field?.value.trim() ?? '';
  if (credential !== '') void signIn(credential);
});

// A link may carry the token behind #, where no server sees it; it must not stay in the address.
const linked = /^#t=(.+)$/.exec(location.hash)?.[1];
if (linked !== undefined) {
  history.replaceState(null, '', location.pathname + location.search);
  void signIn(decodeURIComponent(linked));
}
