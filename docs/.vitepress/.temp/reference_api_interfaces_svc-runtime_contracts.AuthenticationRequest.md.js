import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: AuthenticationRequest","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_contracts.AuthenticationRequest.md","filePath":"reference/api/interfaces/svc-runtime_contracts.AuthenticationRequest.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_contracts.AuthenticationRequest.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-authenticationrequest" tabindex="-1">Interface: AuthenticationRequest <a class="header-anchor" href="#interface-authenticationrequest" aria-label="Permalink to &quot;Interface: AuthenticationRequest&quot;">​</a></h1><p>What an authenticator sees of a request: nothing of its body, which is not read yet.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="headers" tabindex="-1">headers <a class="header-anchor" href="#headers" aria-label="Permalink to &quot;headers&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>headers</strong>: <code>RequestHeaders</code></p></blockquote><hr><h3 id="method" tabindex="-1">method <a class="header-anchor" href="#method" aria-label="Permalink to &quot;method&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>method</strong>: <code>string</code></p></blockquote><hr><h3 id="remoteaddress" tabindex="-1">remoteAddress <a class="header-anchor" href="#remoteaddress" aria-label="Permalink to &quot;remoteAddress&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>remoteAddress</strong>: <code>string</code> | <code>undefined</code></p></blockquote><hr><h3 id="url" tabindex="-1">url <a class="header-anchor" href="#url" aria-label="Permalink to &quot;url&quot;">​</a></h3><blockquote><p><code>readonly</code> <strong>url</strong>: <code>string</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_contracts.AuthenticationRequest.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts_AuthenticationRequest = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts_AuthenticationRequest as default
};
