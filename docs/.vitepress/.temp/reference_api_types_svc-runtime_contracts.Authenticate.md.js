import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Type Alias: Authenticate","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/types/svc-runtime_contracts.Authenticate.md","filePath":"reference/api/types/svc-runtime_contracts.Authenticate.md"}');
const _sfc_main = { name: "reference/api/types/svc-runtime_contracts.Authenticate.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="type-alias-authenticate" tabindex="-1">Type Alias: Authenticate <a class="header-anchor" href="#type-alias-authenticate" aria-label="Permalink to &quot;Type Alias: Authenticate&quot;">​</a></h1><blockquote><p><strong>Authenticate</strong> = (<code>request</code>) =&gt; <a href="./../interfaces/svc-runtime_contracts.IdentityInit"><code>IdentityInit</code></a> | <code>null</code> | <code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_contracts.IdentityInit"><code>IdentityInit</code></a> | <code>null</code>&gt;</p></blockquote><p>Finds out who sends a request; null when it carries no credentials. Credentials that are not valid throw <code>new Problem(&#39;unauthenticated&#39;)</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>request</code></td><td><a href="./../interfaces/svc-runtime_contracts.AuthenticationRequest"><code>AuthenticationRequest</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../interfaces/svc-runtime_contracts.IdentityInit"><code>IdentityInit</code></a> | <code>null</code> | <code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_contracts.IdentityInit"><code>IdentityInit</code></a> | <code>null</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/types/svc-runtime_contracts.Authenticate.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts_Authenticate = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts_Authenticate as default
};
