/** Signing in: the form that asks for a key, and what is shown until the service has answered. */
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { key } from '../../../reference/docs/shared-key.ts'
import { signOut } from '../follow.ts'
import { Messages } from '../parts/messages.tsx'
import { ReferenceLink } from '../parts/parts.tsx'
import { refusal, signIn } from '../state/session.ts'

export const SignIn = () => (key.value === null ? <Form /> : <Waiting apiKey={key.value} />)

function Form() {
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const form = new FormData(event.currentTarget)
    await signIn(String(form.get('key')).trim(), form.has('remember'))
    setBusy(false)
  }
  return (
    <main class="signin">
      <form class="fields" onSubmit={submit}>
        <img src="shop/favicon.svg" alt="" width="64" height="64" />
        <h1>Pet Store</h1>
        <p>Sign in with your API key. Whoever runs this store gives out the keys, one to each person.</p>
        <p role="alert" class="refusal">
          {refusal.value}
        </p>
        <label>
          API key
          <input
            name="key"
            type="password"
            required
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxlength={200}
            autofocus
          />
        </label>
        <label class="remember">
          <input name="remember" type="checkbox" aria-describedby="remember-note" />
          Remember it on this device
        </label>
        <p id="remember-note" class="quiet">
          Then whoever uses this browser is signed in, until somebody signs out. Otherwise it is forgotten when the last
          tab is closed.
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          Sign in
        </button>
        <ReferenceLink />
      </form>
      <Messages />
    </main>
  )
}

/** The key is known, and the service has not answered yet. */
const Waiting = ({ apiKey }: { apiKey: string }) => (
  <main class="signin">
    <div class="notice" role="status">
      <p>{refusal.value || 'Signing in…'}</p>
      {refusal.value && (
        <p class="actions">
          <button type="button" class="primary" onClick={() => signIn(apiKey)}>
            Try again
          </button>
          <button type="button" onClick={signOut}>
            Use another key
          </button>
        </p>
      )}
    </div>
    <Messages />
  </main>
)
