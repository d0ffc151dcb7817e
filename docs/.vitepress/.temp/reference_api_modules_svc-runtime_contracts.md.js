import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"svc-runtime/contracts","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/modules/svc-runtime_contracts.md","filePath":"reference/api/modules/svc-runtime_contracts.md"}');
const _sfc_main = { name: "reference/api/modules/svc-runtime_contracts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="svc-runtime-contracts" tabindex="-1">svc-runtime/contracts <a class="header-anchor" href="#svc-runtime-contracts" aria-label="Permalink to &quot;svc-runtime/contracts&quot;">​</a></h1><p>Types that the members of other types have. Import them where you need their names.</p><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Interface</th><th>Description</th></tr></thead><tbody><tr><td><a href="./../interfaces/svc-runtime_contracts.AppendOptions">AppendOptions</a></td><td>How events are appended to a stream.</td></tr><tr><td><a href="./../interfaces/svc-runtime_contracts.AuthenticationRequest">AuthenticationRequest</a></td><td>What an authenticator sees of a request: nothing of its body, which is not read yet.</td></tr><tr><td><a href="./../interfaces/svc-runtime_contracts.Flags">Flags</a></td><td>The feature flags as a receptor or a hook sees them: for its caller, from memory.</td></tr><tr><td><a href="./../interfaces/svc-runtime_contracts.Identity">Identity</a></td><td>Who sends a request, and what they may do.</td></tr><tr><td><a href="./../interfaces/svc-runtime_contracts.IdentityInit">IdentityInit</a></td><td>What an authenticator returns; everything but the source is optional.</td></tr></tbody></table><h2 id="type-aliases" tabindex="-1">Type Aliases <a class="header-anchor" href="#type-aliases" aria-label="Permalink to &quot;Type Aliases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Alias</th><th>Description</th></tr></thead><tbody><tr><td><a href="./../types/svc-runtime_contracts.Authenticate">Authenticate</a></td><td>Finds out who sends a request; null when it carries no credentials. Credentials that are not valid throw <code>new Problem(&#39;unauthenticated&#39;)</code>.</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/modules/svc-runtime_contracts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts as default
};
