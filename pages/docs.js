var b,fn,qt,X,Ct,et,mn,Xe,hn,Pt,Et,Po,Re=Symbol.for("pv"),tt={},nt=[],To=/^m(i|n|o|s|text|space)$/,Tt=Array.isArray,Rt=nt.slice,ce=Object.assign;function ae(e){e&&e.parentNode&&e.remove()}function ot(e,t,n){var o,r,s,i={},a=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return a>2&&(i.children=a>3?Rt.call(arguments,2):n),Te(e,i,o,r,null)}function Te(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Re,__v:r||++fn,__i:-1,__u:0};return!r&&b.vnode&&b.vnode(s),s}function le(e){return e.children}function ye(e,t){this.props=e,this.context=t,this.__g=0}function Q(e,t){if(t==null)return e.__&&Q(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Q(e)}function Ro(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=ce({constructor:Re},n)).__v=n.__v+1,b.vnode&&b.vnode(t),It(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||Q(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,bn(r,t,s),n.__=n.__e=null,t.__e!=o&&_n(t))}function _n(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),_n(e)}function pn(e){(8&e.__g||(e.__g|=8,X.push(e),et++))&&Ct==b.debounceRendering||((Ct=b.debounceRendering)||queueMicrotask)($n)}function $n(){try{for(var e,t=1;X.length;)X.length>t&&X.sort(mn),e=X.shift(),t=X.length,8&e.__g&&Ro(e)}finally{(et=X.length)&&(Ct||queueMicrotask)($n)}}function yn(e,t,n,o,r,s,i,a,c,d,p){var h,f,u,m,v,_,g=o.__k||nt,y=t.length;for(c=Io(n,t,g,c,y),h=0;h<y;h++)(u=n.__k[h])!=null&&(f=~u.__i&&g[u.__i]||tt,u.__i=h,_=It(e,u,f,r,s,i,a,c,d,p),m=u.__e,(f.ref!=u.ref||8&f.__u)&&(f.ref&&Mt(f.ref,null,u,f),u.ref&&p.push(u.ref,u.__c||m,u)),v=v||m,4&u.__u?(c=vn(u,c,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="function"&&_!==void 0?c=_:m&&(c=m.nextSibling),u.__u&=-21);return n.__e=v,c}function Io(e,t,n,o,r){var s,i,a,c,d,p,h,f,u,m=n.length,v=m,_=0,g=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=Te(null,i):Tt(i)?i=y[s]=Te(le,{children:i}):i.constructor===Re&&i.__b?i=y[s]=Te(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,c=s+_,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=Mo(i,n,c,v))&&(v--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,g=1)):(~d||(r>m?_--:r<m&&_++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(g){for(p=[],h=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(_=0,f=p.length;_<f;)p[u=_+f>>1]<i.__i?_=u+1:f=u;p[_]=i.__i,h[s]=_+1}for(_=p.length;s--;)h[s]&&(h[s]==_?_--:y[s].__u|=4)}if(v)for(s=0;s<m;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=Q(a)),jt(a,a));return o}function vn(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=vn(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Q(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Mo(e,t,n,o){var r,s=e.key,i=e.type,a=t[n],c=a&&!(2&a.__u);if(a===null&&s==null||c&&s==a.key&&i==a.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function dn(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ze(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||dn(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||dn(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Et[t]||(Et[t]=jo(t)),(e.__a||(e.__a={}))[t]=Pt,s=t!=(t=t.replace(hn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function jo(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Xe]==null)t[Xe]=Pt++;else if(t[Xe]<this.__a[e])return;return n(b.event?b.event(t):t)}}}function It(e,t,n,o,r,s,i,a,c,d){var p,h,f,u,m,v,_,g,y,k,$,E,$e,W,B,Ee,F,J,U=t.type;if(t.constructor!==Re)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(t.__u|=c,h=s=[],p.nodeType==8?a=Qe(p,s):s.push(p),a=s[0]||a),(p=b.__b)&&p(t);e:if(typeof U=="function"){f=i.length;try{if(g=t.props,y=(p=U.prototype)&&p.render,k=(p=U.contextType)&&o[p.__c],$=p?k?k.props.value:p.__:o,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(y?t.__c=u=new U(g,$):(t.__c=u=new ye(g,$),u.constructor=U,u.render=Do),k&&k.sub(u),u.state||(u.state={}),u.__n=o,u.__g|=8,u.__h=[],u.__k=[]),y&&(u.__s||(u.__s=u.state),U.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ce({},u.__s)),ce(u.__s,U.getDerivedStateFromProps(g,u.__s)))),m=u.props,v=u.state,u.__v=t,n.__c){if(g!==m&&y&&!U.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(g,$),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(g,u.__s,$)===!1){t.__v!=n.__v&&(u.props=g,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(M){M&&(M.__=t)}),nt.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&i.push(u),a=Q(n);break e}u.componentWillUpdate&&u.componentWillUpdate(g,u.__s,$),y&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(m,v,_)})}else y&&!U.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),y&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=$,u.props=g,u.__P=e,u.__g&=-5,E=b.__r,$e=y?25:0;do u.__g&=-9,E&&E(t),p=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++$e<25);y&&(nt.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(o=ce({},o,u.getChildContext())),y&&n.__c&&u.getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(m,v)),W=p&&p.type===le&&p.key==null?p.props.children:p,g.__P&&(p=a,r=(e=g.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(M){M&&jt(M,M)}),n.__k=null),a=n.__k?Q(n,0):null),a=yn(e,Tt(W)?W:[W],t,n,o,r,s,i,a,c,d),g.__P&&(t.__e=null,a=p),t.__u&=-161,h&&h.some(ae),u.__h.length&&i.push(u),1&u.__g&&(u.__g&=-4)}catch(M){if(i.length=f,t.__v=null,c||s)if(M&&M.then){if(t.__u|=128|c,s){for(~(F=s.indexOf(a||void 0))||(F=s.length);(J=s[F-1])&&J.nodeType==8;)F--;for(;F<s.length;F++)if(J=s[F])if(s[F]=null,B){if(J==Ee)break}else{if(J.nodeType!=8)break;J.data.startsWith("$s")&&(Ee=Qe(B=J))}}if(!B){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;B=a}(p=Qe(B=t.__c.__z||(t.__c.__z=B)))?(t.__e=B,a=p):t.__e=a,a=a&&a.nextSibling}else s&&s.some(ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),M&&M.then||gn(t),b.__e(M,t,n)}}else a=t.__e=Ao(n.__e,t,n,o,r,s,i,c,d,e);return(p=b.diffed)&&p(t),a}function Qe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function gn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(gn))}function bn(e,t,n){for(var o=0;o<n.length;)Mt(n[o++],n[o++],n[o++]);b.__c&&b.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){b.__e(s,r.__v)}})}function Ao(e,t,n,o,r,s,i,a,c,d){var p,h,f,u,m,v,_,g,y=n.props||tt,k=t.props,$=t.type;if($=="svg"?r="http://www.w3.org/2000/svg":$=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(p=0;p<s.length;p++)if((m=s[p])&&($?m.localName==$:m.nodeType==3)){e=m,s[p]=null;break}}if(!e){if(g=d.ownerDocument||document,!$)return g.createTextNode(k);e=g.createElementNS(r,$,k.is?k:d),a&&(b.__m&&b.__m(t,s),a=!1),s=null}if($){if(d=$=="template"&&e.content||e,s=$=="textarea"&&k.defaultValue!=null?null:s&&Rt.call(d.childNodes),!a&&s)for(y={},p=0;p<e.attributes.length;p++)y[(m=e.attributes[p]).name]=m.value;for(p in y)m=y[p],p=="dangerouslySetInnerHTML"?f=m:p=="children"||p in k||p=="value"&&"defaultValue"in k||p=="checked"&&"defaultChecked"in k||Ze(e,p,null,m,r);for(p in k)m=k[p],p=="children"?u=m:p=="dangerouslySetInnerHTML"?h=m:p=="value"?v=m:p=="checked"?_=m:a&&typeof m!="function"||y[p]===m||Ze(e,p,m,y[p],r);h?(a||f&&(h.__html==f.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(f&&(e.textContent=""),($=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&To.test($))&&(r="http://www.w3.org/1999/xhtml"),yn(d,Tt(u)?u:[u],t,n,o,r,s,i,s?s[0]:n.__k&&Q(n,0),a,c),s&&s.some(ae)),a&&$!="textarea"||(p="value",$=="progress"&&v==null?e.removeAttribute(p):v==null||v===e[p]&&($!="progress"||v)||Ze(e,p,v,y[p],r),p="checked",_!=null&&_!=e[p]&&Ze(e,p,_,y[p],r))}else y===k||a&&e.data==k||(e.data=k);return e}function Mt(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){b.__e(r,n)}}function jt(e,t,n){var o,r,s,i;if(b.unmount&&b.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Mt(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){b.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&jt(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Qe(o,s=[]))&&(o==e.__e&&s.some(ae),ae(r),ae(o)),n||ae(e.__e),e.__e=e.__c=e.__=null}function Do(e,t,n){return this.constructor(e,n)}function At(e,t){var n,o,r,s;b.__&&b.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Te(le,{children:[e]}),r=[],s=[],It(t,t.__k,o||tt,tt,t.namespaceURI,o?null:t.firstChild?Rt.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),bn(r,t.__k,s),t.__k.props.children=null}b={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw et=0,e}},fn=0,qt=function(e){return e!=null&&e.constructor===Re},ye.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ce({},this.state)),typeof e=="function"&&(e=e(ce({},n),this.props)),e&&(ce(n,e),this.__v&&(t&&this.__k.push(t),pn(this)))},ye.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),pn(this))},ye.prototype.render=le,X=[],et=0,mn=function(e,t){return e.__v.__b-t.__v.__b},Xe=Symbol(),hn=/(PointerCapture)$|Capture$/i,Pt=0,Et={},Po=0;var ue,C,Dt,xn,Nt=Object.is,rt=0,Tn=[],Lt=[],O=b,kn=O.__b,wn=O.__r,Sn=O.diffed,On=O.__c,Cn=O.unmount,En=O.__;function Me(e,t){O.__h&&O.__h(C,e,rt||t),rt=0;var n=C.__H||(C.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function j(e){return rt=1,No(In,e)}function No(e,t,n){var o=Me(ue++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):In(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Nt(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=C,!C.__f)){C.__f=!0;var r=C.shouldComponentUpdate;C.shouldComponentUpdate=function(s,i,a){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=s;if(c.__.some(function(f){f.__N&&(d=!0,Nt(f.__[0],f.__N[0])||(p=!0))}),r){var h=r.call(this,s,i,a);return d?h||p:h}return!d||p}}return o.__}function pe(e,t){var n=Me(ue++,3);!O.__s&&Bt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,C.__H.__h.push(n))}function Rn(e,t){var n=Me(ue++,4);!O.__s&&Bt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,C.__h.push(n))}function ve(e){return rt=5,st(function(){return{current:e}},[])}function st(e,t){var n=Me(ue++,7);return Bt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function je(){var e=Me(ue++,11);if(!e.__){for(var t=C.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Lo(){var e;do{for(;e=Lt.shift();)try{Ie(e)}catch(n){O.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Tn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ie),t.__h.some(Ht),t.__h=[]}catch(n){t.__h=[],O.__e(n,e.__v)}}}while(Lt.length)}O.__b=function(e){C=null,kn&&kn(e)},O.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),En&&En(e,t)},O.__r=function(e){wn&&wn(e),ue=0;var t=(C=e.__c).__H;t&&(Dt==C?C.__h=[]:(t.__h.some(Ie),t.__h.some(Ht),ue=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Dt=C},O.diffed=function(e){Sn&&Sn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Pn(Tn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Dt=C=null},O.__c=function(e,t){t.some(function(n){try{n.__h.some(Ie),n.__h=n.__h.filter(function(o){return!o.__||Ht(o)})}catch(o){n.__h=[function(){throw o}]}}),On&&On(e,t)},O.unmount=function(e){Cn&&Cn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Pn(Lt.push(r))}else Ie(r)}catch(s){t=s}}),o.__H=void 0,t&&O.__e(t,o.__v))};var qn=typeof requestAnimationFrame=="function";function Ho(e){var t,n=function(){clearTimeout(o),qn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);qn&&(t=requestAnimationFrame(n))}function Pn(e){e!=1&&xn==O.requestAnimationFrame||((xn=O.requestAnimationFrame)||Ho)(Lo)}function Ie(e){var t=C,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),C=t}function Ht(e){var t=C;e.__c=e.__(),C=t}function Bt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Nt(n,e[o])})}function In(e,t){return typeof t=="function"?t(e):t}var Bo=Symbol.for("preact-signals");function lt(){if(z>1)z--;else{var e,t=!1;for((function(){var r=at;for(at=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var i=s.t;i!==void 0;i=i.x)i.i===r.i&&(i.i=s.i);r=r.o}})();De!==void 0;){var n=De;for(De=void 0,it++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&jn(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(it=0,z--,t)throw e}}function ge(e){if(z>0)return e();Ft=++Fo,z++;try{return e()}finally{lt()}}var Ae,w=void 0;function Ne(e){var t=w,n=Ae;w=void 0,Ae=void 0;try{return e()}finally{w=t,Ae=n}}var De=void 0,z=0,it=0,Fo=0,Ft=0,at=void 0,ct=0;function Mn(e){if(w!==void 0){var t=e.n;if(t===void 0||t.t!==w)return t={i:0,S:e,p:w.s,n:void 0,t:w,e:void 0,x:void 0,r:t},w.s!==void 0&&(w.s.n=t),w.s=t,e.n=t,32&w.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=w.s,t.n=void 0,w.s.n=t,w.s=t),t}}function q(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}q.prototype.brand=Bo;q.prototype.h=function(){return!0};q.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Ne(function(){var o;(o=t.W)==null||o.call(t)}))};q.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&Ne(function(){var r;(r=t.Z)==null||r.call(t)}))}};q.prototype.subscribe=function(e){var t=this;return Y(function(){var n=t.value;Ne(function(){return e(n)})},{name:"sub"})};q.prototype.valueOf=function(){return this.value};q.prototype.toString=function(){return this.value+""};q.prototype.toJSON=function(){return this.value};q.prototype.peek=function(){var e=this;return Ne(function(){return e.value})};Object.defineProperty(q.prototype,"value",{get:function(){var e=Mn(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(it>100)throw new Error("Cycle detected");(function(n){z!==0&&it===0&&n.l!==Ft&&(n.l=Ft,at={S:n,v:n.v,i:n.i,o:at})})(this),this.v=e,this.i++,ct++,z++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{lt()}}}});function S(e,t){return new q(e,t)}function jn(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function An(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Dn(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function de(e,t){q.call(this,void 0,t),this.x=e,this.s=void 0,this.g=ct-1,this.f=4}de.prototype=new q;de.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===ct))return!0;if(this.g=ct,this.f|=1,this.i>0&&!jn(this))return this.f&=-2,!0;var e=w;try{An(this),w=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return w=e,Dn(this),this.f&=-2,!0};de.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}q.prototype.S.call(this,e)};de.prototype.U=function(e){if(this.t!==void 0&&(q.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};de.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(de.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Mn(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function R(e,t){return new de(e,t)}function Nn(e){var t=e.j;if(e.j=void 0,typeof t=="function"){z++;var n=w;w=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,Ut(e),o}finally{w=n,lt()}}}function Ut(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Nn(e)}function Uo(e){if(w!==this)throw new Error("Out-of-order effect");Dn(this),w=e,this.f&=-2;try{8&this.f&&Ut(this)}finally{lt()}}function be(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ae&&Ae.push(this)}be.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};be.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Nn(this),An(this),z++;var e=w;return w=this,Uo.bind(this,e)};be.prototype.N=function(){2&this.f||(this.f|=2,this.u=De,De=this)};be.prototype.d=function(){this.f|=8,1&this.f||Ut(this)};be.prototype.dispose=function(){this.d()};function Y(e,t){var n=new be(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var Ln,pt,ut,Ko=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Hn=[];Y(function(){Ln=this.N})();function xe(e,t){b[e]=t.bind(null,b[e]||function(){})}function Le(e){if(ut){var t=ut;ut=void 0,t()}ut=e&&e.S()}function Bn(e){var t=this,n=e.data,o=Kt(n);o.name="ReactiveDom",o.value=n;var r=st(function(){for(var a=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var d=R(function(){var u=o.value.value;return u===0?0:u===!0?"":u||""}),p=R(function(){return!Array.isArray(d.value)&&!qt(d.value)}),h=Y(function(){if(this.N=Fn,p.value){var u=d.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=u)}}),f=t.__$u.d;return t.__$u.d=function(){h(),f.call(this)},[p,d]},[]),s=r[0],i=r[1];return s.value?i.peek():i.value}Bn.displayName="ReactiveTextNode";Object.defineProperties(q.prototype,{constructor:{configurable:!0,value:ot(le,null).constructor},type:{configurable:!0,value:Bn},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});xe("__b",function(e,t){if(Le(),pt=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof q&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});xe("__r",function(e,t){if(e(t),t.type!==le){Le();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var i;return Y(function(){i=this},{name:s}),i.c=r,i})((function(r){return function(){var s;Ko&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),pt=o,Le(n)}});xe("__e",function(e,t,n,o){Le(),pt=void 0,e(t,n,o)});xe("diffed",function(e,t){Le(),pt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var i in s){var a=s[i];a===void 0||o&&i in o||(a.d(),s[i]=void 0)}if(o){s||(s={},n.U=s);for(var c in o){var d=s[c],p=o[c];d===void 0?(d=Wo(n,c,p,r),s[c]=d):d.o(p,r)}}}e(t)});function Wo(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=S(n);return{o:function(i,a){s.value=i,o=a},d:Y(function(){this.N=Fn;var i=s.value.value;o[t]!==i&&(o[t]=i,r?e[t]=i:i!=null&&(i!==!1||t[4]==="-")?e.setAttribute(t,i):e.removeAttribute(t))})}}xe("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var i=t.__np;if(i){var a=t.props;for(var c in i)a[c]=i[c]}t.__np=void 0}else{var d=t.__c;if(d){d.__$f|=8;var p=d.__$u;p&&(d.__$u=void 0,p.d())}}e(t)});xe("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});ye.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var i in e)if(i!=="__source"&&e[i]!==this.props[i])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function Kt(e,t){return st(function(){return S(e,t)},[])}var Go=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Vo(){ge(function(){for(var e;e=Hn.shift();)Ln.call(e)})}function Fn(){Hn.push(this)===1&&(b.requestAnimationFrame||Go)(Vo)}var Kn=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],a=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++s]]=a:i===6?o[1][t[++s]]+=a+"":i?(r=e.apply(a,Kn(e,a,n,["",null])),o.push(r),a[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(a)}return o},Un=new Map;function Wn(e){var t=Un.get(this);return t||(t=new Map,Un.set(this,t)),(t=Kn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",a="",c=[0],d=function(f){s===1&&(f||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,f,i):s===3&&(f||i)?(c.push(3,f,i),s=2):s===2&&i==="..."&&f?c.push(4,f,0):s===2&&i&&!f?c.push(5,0,!0,i):s>=5&&((i||!f&&s===5)&&(c.push(s,0,i,r),s=6),f&&(c.push(s,f,0,r),s=6)),i=""},p=0;p<n.length;p++){p&&(s===1&&d(),d(p));for(var h=0;h<n[p].length;h++)o=n[p][h],s===1?o==="<"?(d(),c=[c],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[p][h+1]===">")?(d(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Wn.bind(ot),dt=S("");function ee(e){dt.value=dt.value===e?`${e} `:e}var ft=({method:e})=>l`<span class="method" style=${{"--tone":`var(--${e.toLowerCase()})`}}>${e}</span>`,Gn=({kind:e,children:t})=>{let n={background:`var(--${e}-paper, var(--ground))`,color:`var(--${e}-ink)`};return l`<span class="badge" style=${n}>${t}</span>`};function mt({of:e}){let{deprecated:t,"x-deprecated-sunset":n,"x-stability":o}=e;return l`
    ${t&&l`<${Gn} kind="warn">deprecated${n&&`, ends ${n}`}<//>`}
    ${o&&l`<${Gn} kind=${o}>${o}<//>`}`}var Z=({title:e,isOpen:t,children:n})=>l`<details open=${t}><summary>${e}</summary>${n}</details>`,D=({id:e,title:t})=>l`<a class="anchor" href="#${e}" aria-label=${`Link to ${t}`}>#</a>`,A=new URL("v1",globalThis.document?.baseURI??"http://localhost/").href;var K=S({}),Jo=(e,t,n)=>typeof t=="number"&&n&&!Number.isSafeInteger(t)&&/^-?\d+$/.test(n.source)?BigInt(n.source):t,Vn=e=>JSON.parse(e,Jo),ke=(e,t=2)=>JSON.stringify(e,(n,o)=>typeof o=="bigint"?JSON.rawJSON(String(o)):o,t),N=e=>typeof e=="string"?e:ke(e,0),te=e=>typeof e=="object"&&e!==null;function x(e){let t=typeof e=="object"?e:{},n=new Set;for(;typeof t.$ref=="string"&&!n.has(t.$ref);){let{$ref:o,...r}=t;n.add(o);let s=o.split("/").slice(1),i=c=>decodeURIComponent(c).replaceAll("~1","/").replaceAll("~0","~");t={...s.reduce((c,d)=>te(c)?c[i(d)]:void 0,K.value),...r}}return t}var Be=e=>typeof e=="object"?/^#\/components\/schemas\/([^/]+)$/.exec(e.$ref??"")?.[1]:void 0,zo=["get","put","post","delete","options","head","patch","trace"],He=e=>(e.toLowerCase().match(/[\p{L}\p{N}]+/gu)??[]).join("-"),Yo="page reference introduction contents search key key-state key-help common-errors".split(" "),Zo=e=>e.name!==void 0&&e.in!==void 0,G=R(()=>{let{info:e={},tags:t=[],paths:n={},webhooks:o={},components:r={}}=K.value,s=new Set(Yo),i=f=>{let u=f;for(let m=2;s.has(u);m++)u=`${f}-${m}`;return s.add(u),u},a=(f,u)=>Object.entries(f).flatMap(([m,v])=>{let{parameters:_=[],...g}=x(v);return zo.flatMap(y=>{let k=g[y];if(!k)return[];let $=[..._,...k.parameters??[]].map(E=>x(E)).filter(Zo);return{id:i(k.operationId??He(`${y} ${m}`)),title:k.summary??k.operationId??`${y.toUpperCase()} ${m}`,method:y.toUpperCase(),path:m,tag:k.tags?.[0]??(u?"webhooks":"other"),isWebhook:u,node:k,parameters:[...new Map($.map(E=>[`${E.in} ${E.name}`,E])).values()]}})}),c=[...a(n,!1),...a(o,!0)],d=new Map(t.map(f=>[f.name,{...f,operations:[]}]));for(let f of c){let u=d.get(f.tag)??{name:f.tag,operations:[]};d.set(u.name,u),u.operations.push(f)}let[p="",...h]=(e.description??"").split(/^## /m);return{introduction:p,operations:c,groups:[...d.values()].map(f=>({...f,id:i(He(`tag ${f.name}`))})),sections:h.map(f=>{let[u="",...m]=f.split(`
`);return{id:i(He(u)),title:u,text:m.join(`
`)}}),schemas:Object.entries(r.schemas??{}).map(([f,u])=>({id:i(`schema-${f}`),name:f,node:u}))}}),Jn=e=>G.value.schemas.find(t=>t.name===e)?.id;function Fe({example:e,examples:t,schema:n}){if(e!==void 0)return[{name:"example",value:e}];let o=Object.entries(t??{}).map(([i,a])=>({name:i,...x(a)}));if(o.length>0)return o;let{example:r,examples:s=[r]}=x(n);return s.filter(i=>i!==void 0).map(i=>({name:"example",value:i}))}var Gt=e=>!/^[123]/.test(e);function Xo(e,t){let{description:n="",content:o={},headers:r={}}=x(t),s=Object.entries(o),i=(c,d)=>ke([c,c!=="schema"&&e,d],0),a=c=>d=>({kind:c,value:d,key:i(c,d)});return[...n.split(/\n{2,}/).map(a("paragraph")),...s.flatMap(([,c])=>Fe(c)).map(a("example")),...s.map(([c,{schema:d={}}])=>({type:c,schema:d})).map(a("schema")),...Object.entries(r).map(a("header"))]}var zn=(e,t)=>({status:e,paragraphs:t.flatMap(n=>n.kind==="paragraph"?[n.value]:[]),examples:t.flatMap(n=>n.kind==="example"?[n.value]:[]),schemas:t.flatMap(n=>n.kind==="schema"?[n.value]:[]),headers:t.flatMap(n=>n.kind==="header"?[n.value]:[])}),Vt=R(()=>{let e=({responses:n={}})=>Object.entries(n).filter(([o])=>Gt(o)),t=({node:n})=>e(n).map(([o,r])=>({status:o,parts:Xo(o,r)}));return new Map(G.value.operations.map(n=>[n,t(n)]))}),Wt=R(()=>{let e=new Map,t=[...Vt.value.values()].flat().flatMap(({parts:r})=>r);for(let{key:r}of t)e.set(r,(e.get(r)??0)+1);let{length:n}=G.value.operations.filter(({isWebhook:r})=>!r),o=r=>r>2&&r*2>n;return new Set([...e].filter(([,r])=>o(r)).map(([r])=>r))});function ht(e){let t=(Vt.value.get(e)??[]).map(({status:r,parts:s})=>{let i=s.some(({kind:c,key:d})=>c!=="header"&&Wt.value.has(d)),a=s.filter(({key:c})=>!Wt.value.has(c));return{isShared:i,...zn(r,a)}}),n=({paragraphs:r,examples:s,schemas:i})=>r.length+s.length+i.length>0,o=t.filter(r=>!n(r)).flatMap(({headers:r})=>r);return{own:t.filter(n),shared:t.filter(({isShared:r})=>r),headers:[...new Map(o)]}}var we=R(()=>{let e=[...Vt.value.values()].flat().sort((t,n)=>t.status.localeCompare(n.status));return[...Map.groupBy(e,({status:t})=>t)].map(([t,n])=>{let o=new Map(n.flatMap(({parts:r})=>r).map(r=>[r.key,r]));return zn(t,[...o.values()].filter(({key:r})=>Wt.value.has(r)))}).filter(({paragraphs:t,examples:n})=>t.length+n.length>0)});function ne({node:e}){let t=e.security??K.value.security??[];return t.length===0||t.some(o=>Object.keys(o).length===0)?void 0:[...new Set([e["x-scope"]??[],...t.map(o=>Object.values(o))].flat(2))]}function Se(){let t=Object.values(K.value.components?.securitySchemes??{}).map(n=>x(n)).find(({type:n,in:o})=>n==="http"||o==="header")??{};return t.type==="apiKey"?{...t,header:t.name??"",before:""}:{...t,header:"Authorization",before:"Bearer "}}var Qo=["async","await","const","defer","export","false","for","from","func","if","import","in","let","new","nil","None","null","package","range","return","true","type","undefined","var","with"],er={comment:/(?<=^|\s)(?:#|\/\/).*/,string:/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/,number:/\b\d[\d._]*\b/,word:new RegExp(`\\b(?:${Qo.join("|")})\\b`)},tr=new RegExp(Object.entries(er).map(([e,{source:t}])=>`(?<${e}>${t})`).join("|"),"gm"),nr=3e4;function or(e){if(e.length>nr)return e;let t=[],n=0;for(let{0:o,index:r,groups:s={}}of e.matchAll(tr)){let i=Object.keys(s).find(c=>s[c]!==void 0),a=i==="string"&&/^\s*:/.test(e.slice(r+o.length,r+o.length+9));t.push(e.slice(n,r),l`<span class=${a?"member":i}>${o}</span>`),n=r+o.length}return[...t,e.slice(n)]}async function rr(e){try{await navigator.clipboard.writeText(e)}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}}function sr({text:e,what:t}){let[n,o]=j(!1),r=async()=>{await rr(e),o(!0),ee(`Copied ${t}`)};return l`<button
    type="button"
    class="copy"
    aria-label=${`Copy ${t}`}
    onClick=${r}
    onBlur=${()=>o(!1)}
  >
    ${n?"Copied":"Copy"}
  </button>`}var Ue=({text:e,what:t})=>l`<pre tabindex="0" role="group" aria-label=${t}><code>${or(e)}</code></pre>`,ir=S("");function fe({title:e,items:t,isSample:n=!1}){let o=je(),r=Kt(""),s=n?ir:r,i=t.find(({name:f})=>f===s.value)??t[0],a=e??"Sample",c=f=>{let u={ArrowRight:1,ArrowLeft:-1}[f.key];if(!u)return;f.preventDefault();let m=f.currentTarget;s.value=t.at((t.indexOf(i)+u)%t.length)?.name??"",requestAnimationFrame(()=>m.querySelector("[aria-selected=true]")?.focus())},d=t.length>1,p=({name:f},u)=>l`<button
      type="button"
      role="tab"
      id="${o}-${u}"
      aria-selected=${f===i.name}
      aria-controls=${`${o}-panel`}
      tabindex=${f===i.name?0:-1}
      onClick=${()=>s.value=f}
    >
      ${f}
    </button>`,h=()=>l`<div role="tablist" aria-label=${a} onKeyDown=${c}>${t.map(p)}</div>`;return l`<section class="card">
    <div class="bar">
      ${e&&l`<h4>${e}</h4>`}
      ${d?h():l`<span class="quiet">${i.name}</span>`}
      <${sr} text=${i.text} what=${`${a}: ${i.name}`} />
    </div>
    <div
      id="${o}-panel"
      role=${d?"tabpanel":void 0}
      aria-labelledby=${d?`${o}-${t.indexOf(i)}`:void 0}
    >
      <${Ue} text=${i.text} what=${`${a}: ${i.name}`} />
    </div>
  </section>`}var ar=new RegExp([/(?<tick>`+)(?<code>.+?)\k<tick>/,/\*\*(?<strong>.+?)\*\*/,/(?<![\w*])(?<star>[*_])(?=\S)(?<em>.+?)(?<=\S)\k<star>(?![\w*])/,/\[(?<label>[^\]]+)\]\((?<target>[^)\s]+)\)/,/<(?<address>https?:[^>\s]+)>/,/\\(?<escaped>[\\`*_[\]<>|#{}()+.!-])/].map(({source:e})=>e).join("|"),"gs"),Zn=e=>/^(?:https?|mailto):$/.test(URL.parse(e,"http://localhost")?.protocol??""),cr=e=>e.split(/(?<=\w[_/?&])/).flatMap((t,n)=>n>0?[l`<wbr />`,t]:t),Oe=({to:e,children:t})=>e&&Zn(e)?l`<a href=${e}>${t}</a>`:t;function L(e){let t=[],n=0;for(let o of e.matchAll(ar)){let{code:r,strong:s,em:i,label:a="",target:c="",address:d,escaped:p}=o.groups??{};t.push(e.slice(n,o.index)),n=o.index+o[0].length,r!==void 0?t.push(l`<code>${cr(r.replaceAll("\\|","|"))}</code>`):s!==void 0?t.push(l`<strong>${L(s)}</strong>`):i!==void 0?t.push(l`<em>${L(i)}</em>`):d!==void 0?t.push(l`<a href=${d}>${d}</a>`):p!==void 0?t.push(p):t.push(Zn(c)?l`<a href=${c}>${L(a)}</a>`:o[0])}return[...t,e.slice(n)]}var Jt=e=>e.trim().replace(/^\||(?<!\\)\|$/g,"").split(/(?<!\\)\|/).map(t=>t.trim()),_t=/^ {0,3}(?:[-*+]|\d+[.)]) +/,lr=/^ {0,3}(?:```|~~~|#{1,6} |> ?|(?:[-*+]|1[.)]) |\|)/,zt=/^ {0,3}> ?/,ur=e=>/^ {0,3}([-*_])(?: *\1){2,} *$/.test(e),Yt=/^ {0,3}(```|~~~) *(\S*) *(.*)/;function Ke(e,t){let n=e.findIndex(o=>!t(o));return e.splice(0,n<0?e.length:n)}function Yn(e,t){let[,n,o,r]=Yt.exec(e)??[],s=Ke(t,i=>i.trim()!==n).join(`
`);return t.shift(),{name:r||o||"",text:s,isNamed:!!r}}function pr(e,t,n){if(Yt.test(e)){let{isNamed:i,...a}=Yn(e,t),c=[a];for(;i&&t[0]===""&&Yt.test(t[1]??"");)c.push(Yn(t.splice(0,2).join(""),t));return l`<${fe} isSample=${i} items=${c} />`}let[,o,r=""]=/^ {0,3}(#{1,6}) +(.*?) *#*$/.exec(e)??[];if(o)return l`<${`h${Math.min(6,n+o.length)}`}>${L(r)}<//>`;if(ur(e))return l`<hr />`;if(zt.test(e)){let i=[e,...Ke(t,a=>zt.test(a))];return l`<blockquote>${Zt(i.map(a=>a.replace(zt,"")),n)}</blockquote>`}if(e.includes("|")&&/^ *\|?(?: *:?-+:? *\|)+ *:?-*:? *$/.test(t[0]??"")){let[,...i]=Ke(t,a=>a.includes("|"));return l`<div class="table" tabindex="0" role="group" aria-label=${Jt(e).join(", ")}><table>
      <thead><tr>${Jt(e).map(a=>l`<th scope="col">${L(a)}</th>`)}</tr></thead>
      <tbody>${i.map(a=>l`<tr>${Jt(a).map(c=>l`<td>${L(c)}</td>`)}</tr>`)}</tbody>
    </table></div>`}if(_t.test(e))return dr(e,t,n);let s=[e,...Ke(t,i=>i.trim()!==""&&!lr.test(i))];return l`<p>${L(s.join(`
`))}</p>`}function dr(e,t,n){let o=new RegExp(`^ {${e.search(/\S/)}} {2,4}(?=\\S)`),r=[[e.replace(_t,"")]];for(let i of Ke(t,a=>_t.test(a)||o.test(a)))o.test(i)?r.at(-1)?.push(i.replace(o,"")):r.push([i.replace(_t,"")]);let s=r.map(i=>l`<li>${i.length>1?Zt(i,n):L(i.join(""))}</li>`);return/^ *\d/.test(e)?l`<ol>${s}</ol>`:l`<ul>${s}</ul>`}function Zt(e,t){let n=[];for(let o=e.shift();o!==void 0;o=e.shift())o.trim()!==""&&n.push(pr(o,e,t));return n}function P({text:e="",top:t=4}){let n=Math.min(...(e.match(/^ {0,3}#{1,6}(?= )/gm)??[]).map(o=>o.trim().length));return Zt(e.split(`
`),t-n)}var oe=S([]);function fr(e){let[t="",...n]=e.split(`
`);return{id:He(t),title:t,text:n.join(`
`)}}async function Xn(){let{href:e=""}=document.querySelector("link[rel=help]")??{},t=await fetch(e).catch(()=>{}),n=t?.ok?await t.text():`
## Guides
They could not be loaded. Reload the page to try again.`,[,...o]=n.replaceAll("http://127.0.0.1:8080/v1",A).replaceAll("http://127.0.0.1:8080/",`${new URL(".",A)}`).split(/^## /m);oe.value=o.map(fr)}function Qn({onDraw:e}){return Rn(e,[oe.value]),oe.value.length===0?null:l`<div class="part"><h2>Guides</h2></div>
    ${oe.value.map(({id:t,title:n,text:o})=>l`<section class="part guide" key=${t} id=${t}>
        <h3>${n} <${D} id=${t} title=${n} /></h3>
        <div class="wide"><${P} text=${o} /></div>
      </section>`)}`}var H="petstore.key";function to(e){try{return window[e]}catch{return}}var Xt=to("sessionStorage"),re=to("localStorage"),T=S(Xt?.getItem(H)??re?.getItem(H)??null),me=S(T.value!==null&&re?.getItem(H)===T.value),We=new BroadcastChannel(H),eo="";function no(e){Xt?.setItem(H,e),ge(()=>{T.value=e,me.value=re?.getItem(H)===e})}function Qt(e,t){t?re?.setItem(H,e):re?.getItem(H)===e&&re.removeItem(H),no(e),We.postMessage(e)}function $t(){for(let e of[Xt,re])e?.getItem(H)===T.value&&e.removeItem(H);ge(()=>{T.value=null,me.value=!1})}function oo(){$t(),re?.removeItem(H),We.postMessage(null)}function ro(e){We.onmessage=({data:t})=>{t===null?(e(),$t()):t!==eo?(T.value===null||T.value===t)&&no(t):T.value!==null&&We.postMessage(T.value)},T.value===null&&We.postMessage(eo)}var I=S("");Y(()=>{T.value!==null&&(I.value=T.value)});var ao=()=>{I.value="",se.value={}};ro(ao);var se=S({}),mr=R(()=>{let{"x-pattern":e="^[!-~]+$"}=Se();return new RegExp(e)}),so=R(()=>{let e=({parameters:n})=>!n.some(({required:o})=>o),t=n=>n.method==="GET"&&ne(n)?.length===0&&e(n);return G.value.operations.find(n=>t(n)&&!n.isWebhook)}),hr=()=>{ao(),oo()},yt=e=>{se.value={of:I.value,problem:e}},en=()=>{let{header:e,before:t}=Se();return I.value===""?[]:[[e,t+I.value]]};function tn(e){let t;try{t=JSON.parse(e)}catch{}I.value===T.value&&$t(),yt(`The service refuses this key. ${te(t)?t.message:""}`)}async function io(){let e=I.value;if(e===""||se.value.of===e)return;if(!mr.value.test(e))return yt("This is not a whole key: its form is wrong.");let t={of:e};if(se.value=t,!so.value)return;let n=await fetch(A+so.value.path,{headers:en()}).catch(()=>{});!n||se.value!==t||(n.status===401?tn(await n.text()):se.value={of:e,isAccepted:n.ok},n.ok&&Qt(e,me.value&&T.value===e))}var _r=({apiKey:e})=>l`<label>
  <input
    type="checkbox"
    checked=${me.value}
    onChange=${()=>Qt(e,!me.value)}
  /> Remember it<span class="hidden"> on this device</span>
</label>`;function co(){let[e,t]=j(!1),{problem:n,isAccepted:o}=se.value,r=({currentTarget:d})=>{I.value=d.value.trim(),se.value={}},s=d=>{d.preventDefault(),io()},i=o?"The service accepts this key.":"Calls from this page use this key.",a=me.value?"It is kept until you sign out.":"It is kept until the last tab is closed.",c=n??(I.value&&(I.value===T.value?`${i} ${a}`:i));return l`<form class="key" autocomplete="off" onSubmit=${s}>
    <label for="key">API key</label>
    <input
      id="key"
      type="text"
      class=${e?"":"concealed"}
      placeholder="Enter a key to try the operations"
      maxlength="200"
      autocomplete="off"
      autocapitalize="off"
      spellcheck=${!1}
      aria-describedby="key-state key-help"
      aria-invalid=${!!n}
      value=${I.value}
      onInput=${r}
      onChange=${io}
    />
    <button type="button" onClick=${()=>t(!e)}>
      ${e?"Hide":"Show"}<span class="hidden"> the key</span>
    </button>
    ${T.value!==null&&l`<button type="button" onClick=${hr}>Sign out</button>`}
    <p id="key-state" role="status" class=${n?"problem":"quiet"}>
      ${c} ${!n&&I.value===T.value&&l`<${_r} apiKey=${I.value} />`}
    </p>
    <div id="key-help" class="quiet"><${P} text=${Se().description} /></div>
  </form>`}var lo=e=>({curl:$r(e),JavaScript:yr(e),Python:vr(e),Go:gr(e)});function $r({method:e,url:t,key:n,headers:o,body:r,isStream:s}){let i=c=>`'${c.replaceAll("'","'\\''")}'`;return[`curl ${s?"-N ":""}${e===(r===void 0?"GET":"POST")?"":`-X ${e} `}${i(t)}`,...n?[`-H "${n.header}: ${n.before}$PETSTORE_KEY"`]:[],...o.map(([c,d])=>`-H ${i(`${c}: ${d}`)}`),...r===void 0?[]:[`${r.startsWith("@")?"--data-raw":"-d"} ${i(r)}`]].join(` \\
  `)}function yr({method:e,url:t,key:n,headers:o,body:r,isStream:s}){let i=c=>/^\w+$/.test(c)?c:V("'",c),a=[...n?[`${i(n.header)}: \`${n.before}\${process.env.PETSTORE_KEY}\``]:[],...o.map(([c,d])=>`${i(c)}: ${V("'",d)}`)];return nn(`const response = await fetch(${V("'",t)}, {`,`  method: '${e}',`,`  headers: { ${a.join(", ")} },`,r===void 0?void 0:`  body: ${V("'",r)},`,"})",s?"for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text)":"console.log(response.status, await response.text())")}function vr({method:e,url:t,key:n,headers:o,body:r}){let s=[...n?[`"${n.header}": "${n.before}" + os.environ["PETSTORE_KEY"]`]:[],...o.map(([i,a])=>`"${i}": ${V('"',a)}`)];return nn("import os, urllib.error, urllib.request","","request = urllib.request.Request(",`    ${V('"',t)},`,`    method="${e}",`,`    headers={${s.join(", ")}},`,r===void 0?void 0:`    data=${V("'",r)}.encode(),`,")","try:","    response = urllib.request.urlopen(request)","except urllib.error.HTTPError as error:","    response = error","for line in response:",'    print(line.decode(), end="")')}function gr({method:e,url:t,key:n,headers:o,body:r}){let s=r===void 0?"nil":`strings.NewReader(${V("`",r)})`,i=[...n?[`"${n.header}", "${n.before}"+os.Getenv("PETSTORE_KEY")`]:[],...o.map(([a,c])=>`"${a}", ${V('"',c)}`)];return nn("package main","","import (",'	"io"','	"net/http"','	"os"',r===void 0?void 0:'	"strings"',")","","func main() {",`	request, _ := http.NewRequest("${e}", ${V('"',t)}, ${s})`,...i.map(a=>`	request.Header.Set(${a})`),"	response, err := http.DefaultClient.Do(request)","	if err != nil {","		panic(err)","	}","	defer response.Body.Close()","	io.Copy(os.Stdout, response.Body)","}")}var nn=(...e)=>`${e.filter(t=>t!==void 0).join(`
`)}
`,V=(e,t)=>t.includes(e)||/[\\\n]/.test(t)?JSON.stringify(t):e+t+e;var br={"date-time":"2026-11-15T09:30:00Z",date:"2026-11-15",uri:"https://example.com"};function on(e,t=0){let n=x(e),{type:o,properties:r,items:s,format:i,minimum:a=1,oneOf:c,anyOf:d=c,allOf:p}=n,f=[n.const,n.enum?.[0],n.default,Fe({schema:n})[0]?.value].find(v=>v!==void 0),u=v=>t<4?on(v,t+1):null;if(f!==void 0)return f;if(d)return u(d[0]);if(p)return Object.assign({},...p.map(u));let[m]=[o??(r?"object":s?"array":[])].flat();return m==="object"?Object.fromEntries(Object.entries(r??{}).map(([v,_])=>[v,u(_)])):m==="array"?s===void 0?[]:[u(s)]:m==="integer"||m==="number"?a:m==="null"?null:m==="boolean"||(br[i??""]??"text")}function Ge(e){let t=({name:r,summary:s,value:i})=>({name:s??r,text:typeof i=="string"?i:ke(i)}),[n={name:"example",value:on(e.schema)},...o]=Fe(e);return[t(n),...o.map(t)]}function rn(e){let[t]=Fe(e),n=t?.value;return n===void 0?"":Array.isArray(n)?n.map(N).join(","):N(n)}var Ce=({schema:e,content:t})=>e??Object.values(t??{})[0]?.schema??{},Ve=({in:e,name:t})=>`${e} ${t}`,xr={spaceDelimited:"%20",pipeDelimited:"|"};function kr(e,t){let{name:n,style:o="form",explode:r=o==="form"}=e,s=encodeURIComponent,{type:i}=x(Ce(e));if(i!=="array"||e.content)return`${s(n)}=${s(t)}`;let a=t.split(",").map(c=>s(c.trim()));return r?a.map(c=>`${s(n)}=${c}`).join("&"):`${s(n)}=${a.join(xr[o]??",")}`}function sn(e,t,n){let o=e.parameters.map(c=>({parameter:c,text:t[Ve(c)]??""})),r=c=>o.filter(({parameter:d,text:p})=>d.in===c&&p!==""),s=e.path;for(let{parameter:c,text:d}of r("path"))s=s.replace(`{${c.name}}`,d.split(",").map(encodeURIComponent).join(","));let i=r("query").map(({parameter:c,text:d})=>kr(c,d)).join("&"),a=r("header").map(({parameter:c,text:d})=>[c.name,d]);return n&&a.push(["Content-Type",n.type]),{method:e.method,url:`${A}${s}${i&&`?${i}`}`,headers:a,body:n?.text}}function wr(e){let t=e.parameters.filter(r=>r.required),n=Object.fromEntries(t.map(r=>[Ve(r),rn(r)||N(on(Ce(r)))])),[o]=Object.entries(x(e.node.requestBody).content??{});return sn(e,n,o&&{type:o[0],text:Ge(o[1])[0].text})}var Sr=({method:e,headers:t,body:n=""})=>[`${e} (your URL)`,...t.map(([o,r])=>`${o}: ${r}`),"",n].join(`
`);function uo(e,t){let n=t??wr(e);if(e.isWebhook)return[{name:"HTTP",text:Sr(n)}];let o=e.node["x-codeSamples"]??[],[r,...s]=o.map(({lang:d,label:p,source:h})=>({name:p??d,text:h.trimEnd()}));if(r&&!t)return[r,...s];let i=n.body&&Or(n.body),{curl:a,...c}=lo({...n,body:i,key:ne(e)&&Se()});return[{name:"curl",text:a},...Object.entries(c).map(([d,p])=>({name:d,text:p.trimEnd()}))]}var po=/"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;function fo(e){try{return JSON.parse(e),!0}catch{return!1}}var Or=e=>fo(e)?(e.match(po)??[]).map(t=>t.replace(/^([{[])\s+/,"$1")).join(""):e;function mo(e){if(!fo(e))return e;let t=0,n="",o=()=>`
${"  ".repeat(t)}`;for(let[r]of e.matchAll(po))r==="{"||r==="["?(t++,n+=r+o()):r==="}"||r==="]"?(t--,n+=o()+r):r===","?n+=r+o():n+=r===":"?": ":r.replace(/^([{[])\s+/,"$1");return n}var Cr=3e4;function ho({node:e,isWebhook:t}){if(t)return"The service sends this request: it cannot be tried from here.";if(e["x-hideTryItPanel"])return e["x-hideTryItPanelReason"]??"The document disables the panel of this operation."}function Er({parameter:e,isMissing:t,onInput:n}){let o=je(),r=x(Ce(e)),s=r.enum??(r.type==="boolean"?[!0,!1]:void 0),i=rn(e),a={"aria-invalid":t,"aria-describedby":t?`${o}-problem`:void 0},c={id:o,name:Ve(e),required:e.required,onInput:n,...a},d=()=>l`<select ...${c}>
    <option value="">${e.required?"Choose":"Not set"}</option>
    ${s?.map(h=>l`<option selected=${e.required&&String(h)===i}>${String(h)}</option>`)}
  </select>`,p=()=>l`<input
    ...${c}
    autocomplete="off"
    autocapitalize="off"
    spellcheck=${!1}
    inputmode=${r.type==="integer"?"numeric":void 0}
    placeholder=${i&&`for example ${i}`}
  />`;return l`<div class="input">
    <label for=${o}>
      <code>${e.name}</code> <span class="quiet">${e.required?"required":""}</span>
    </label>
    ${s?d():p()}
    ${t&&l`<p class="problem" id="${o}-problem">Enter a value for ${e.name}.</p>`}
  </div>`}function qr({body:e,isMissing:t,onInput:n,onDraw:o}){let r=je(),s=Object.entries(e.content??{}),[i,a]=j(s[0]?.[0]??""),c=Ge(e.content?.[i]??{}),[d,p]=j(0),{text:h}=c[d]??c[0],f=/^\{\s*"\w+Id": \d+\s*\}$/.test(h);pe(o,[h]);let u=Math.min(14,h.split(`
`).length+1),m=({currentTarget:_})=>a(_.value),v=({currentTarget:_})=>p(Number(_.value));return l`<div class="input">
    <label for=${r}>Body <span class="quiet">${e.required?"required":""}</span></label>
    ${s.length>1&&l`<select name="type" aria-label="Media type" onInput=${m}>
        ${s.map(([_])=>l`<option>${_}</option>`)}
      </select>`}
    ${s.length===1&&l`<input type="hidden" name="type" value=${i} />`}
    ${c.length>1&&l`<select aria-label="Example" onInput=${v}>
        ${c.map(({name:_},g)=>l`<option value=${g} selected=${g===d}>${_}</option>`)}
      </select>`}
    <textarea
      key=${`${i} ${d}`}
      id=${r}
      name="body"
      rows=${u}
      spellcheck=${!1}
      autocomplete="off"
      required=${e.required}
      aria-invalid=${t}
      aria-describedby=${t?`${r}-problem`:void 0}
      onInput=${n}
      placeholder=${f&&`for example ${h}`}
      defaultValue=${f?"":h}
    />
    ${t&&l`<p class="problem" id="${r}-problem">Enter a body.</p>`}
  </div>`}async function Pr(e,t){let n=performance.now();try{let o=await fetch(e),r=await o.text();return{response:o,text:r,milliseconds:Math.round(performance.now()-n)}}catch{return{problem:t.aborted?"No response within 30 seconds.":"The service cannot be reached."}}}async function Tr({method:e,url:t,headers:n,body:o}){let r=AbortSignal.timeout(Cr),s;try{let i=[...n,...en()].map(([a,c])=>[a,c]);s=new Request(t,{method:e,headers:i,body:o??null,signal:r})}catch(i){return{problem:`A browser cannot send this: ${i instanceof Error?i.message:i}`}}return Pr(s,r)}var Rr=e=>`${new Blob([e]).size.toLocaleString("en")} bytes`;function Ir({reply:{response:e,text:t,milliseconds:n}}){let o=e.headers.get("Content-Type")?.split(";")[0]??"text",r=[...e.headers].map(([s,i])=>`${s}: ${i}`);return l`<p class="outcome">
      <strong class=${e.ok?"good":"bad"}>${e.status} ${e.statusText}</strong>${" "}
      <span class="quiet">${n} ms · ${Rr(t)}</span>
    </p>
    ${t?l`<${fe} title="Body" items=${[{name:o,text:mo(t)}]} />`:l`<p class="quiet">The response has no body.</p>`}
    <${Z} title=${`Response headers (${r.length})`}>
      <${Ue} what="Response headers" text=${r.join(`
`)} />
    <//>`}function Mr({outcome:e}){let t=ve(null);return pe(()=>t.current?.scrollIntoView({block:"nearest"}),[e]),l`<div class="answer" ref=${t}>
    ${"problem"in e?l`<p class="outcome"><strong class="bad">${e.problem}</strong></p>`:l`<${Ir} reply=${e} />`}
  </div>`}var jr=e=>Object.fromEntries([...new FormData(e)].map(([t,n])=>[t,String(n)]));function _o({operation:e,onRequest:t}){let n=ve(null),[o,r]=j([]),[s,i]=j(!1),[a,c]=j(),d=e.node.requestBody&&x(e.node.requestBody),p=e.parameters.filter($=>$.in!=="cookie"),h=$=>$.required||$.in!=="header",f=/^(?:GET|HEAD|OPTIONS|TRACE)$/.test(e.method),u=$=>{let{type:E="",body:$e,...W}=jr($);return sn(e,W,$e?{type:E,text:$e}:void 0)},m=()=>{n.current&&t(u(n.current))};pe(m,[]);let v=async $=>{if($.preventDefault(),s)return;let E=$.currentTarget,W=[...E.querySelectorAll(":required")].filter(({value:Pe})=>Pe.trim()===""),B=I.value===""&&ne(e)!==void 0;B&&yt("Enter a key first."),r([...W.map(({name:Pe})=>Pe),...B?["key"]:[]]),W[0]?.focus();let Ee=[...W.map(({name:Pe})=>Pe.replace(/^\w+ /,"")),...B?["API key"]:[]];if(Ee.length>0)return ee(`Required and empty: ${Ee.join(", ")}`);let F=u(E),{method:J,url:U,body:M=""}=F;if(!f&&!confirm(`This changes what the service stores. Send it?

${J} ${U}
${M}`))return;i(!0);let qe=await Tr(F);if(i(!1),c(qe),"problem"in qe)return ee(qe.problem);let{response:Ot,milliseconds:qo}=qe;Ot.status===401&&tn(qe.text),ee(`Response ${Ot.status} ${Ot.statusText} after ${qo} ms`)},_=$=>()=>r(o.filter(E=>E!==$)),g=$=>{let E=Ve($);return l`<${Er}
      key=${E}
      parameter=${$}
      isMissing=${o.includes(E)}
      onInput=${_(E)}
    />`},y=p.filter($=>!h($)),k=f?"It changes nothing.":"It changes what is stored there; you are asked before it is sent.";return l`<form class="panel" noValidate ref=${n} onInput=${m} onSubmit=${v}>
    <p class="quiet">The request goes to this service, <code>${new URL(A).host}</code>. ${k}</p>
    ${p.filter(h).map(g)}
    ${y.length>0&&l`<${Z} title="Optional headers">${y.map(g)}<//>`}
    ${d&&l`<${qr}
        body=${d}
        isMissing=${o.includes("body")}
        onInput=${_("body")}
        onDraw=${m}
      />`}
    ${o.includes("key")&&I.value===""&&l`<p class="problem">It needs an API key: <a href="#key">enter one at the top</a>.</p>`}
    <p class="actions"><button class="primary" aria-busy=${s}>${s?"Sending…":"Execute"}</button></p>
    ${a&&l`<${Mr} outcome=${a} />`}
  </form>`}var an=(e,t)=>e.map((n,o)=>l`${o>0&&` ${t} `}<${he} schema=${n} />`),Ar=({type:e,enum:t,properties:n,items:o,prefixItems:r})=>[e??t?.map(s=>typeof s)??(n?"object":o??r?"array":[])].flat();function he({schema:e,isPlain:t}){let n=Be(e);if(n)return t?n:l`<a href="#${Jn(n)??""}">${n}</a>`;if(e===!1)return"nothing";let o=x(e),{format:r,items:s,prefixItems:i,allOf:a,not:c,oneOf:d,anyOf:p=d}=o;if(o.const!==void 0)return l`always <code>${N(o.const)}</code>`;if(p)return an(p,"or");if(a)return an(a,"and");let h=[...new Set(Ar(o))];if(h.length===0)return c?l`anything but <${he} schema=${c} />`:"any value";let f=u=>u!=="array"||!s&&!i?u:l`array of ${an(i??[s??{}],"then")}`;return l`${h.map((u,m)=>l`${m>0&&" or "}${f(u)}`)}${r&&` (${r})`}`}var Dr=(e,t,n)=>`${e===t?`exactly ${e}`:e===void 0?`at most ${t}`:t===void 0?`at least ${e}`:`${e} to ${t}`} ${(t??e)===1?n.slice(0,-1):n}`.trim(),$o=[["minimum","maximum",""],["minLength","maxLength","characters"],["minItems","maxItems","items"],["minProperties","maxProperties","members"]],Je=e=>e.map((t,n)=>l`${n>0&&", "}<code>${N(t)}</code>`),cn=e=>te(e)?Object.values(e):[],Nr={exclusiveMinimum:e=>`more than ${e}`,exclusiveMaximum:e=>`less than ${e}`,multipleOf:e=>`a multiple of ${e}`,uniqueItems:e=>e===!0&&"no item twice",additionalProperties:e=>e===!1&&"no other members",readOnly:e=>e===!0&&"only in responses",writeOnly:e=>e===!0&&"only in requests",enum:e=>l`one of ${Je(cn(e))}`,"x-extensible-enum":e=>l`one of ${Je(cn(e))}, and others in the future`,example:e=>l`for example ${Je([e])}`,examples:e=>l`for example ${Je(cn(e))}`},Lr=new Set(["$ref $id $schema $defs type format title description properties required items prefixItems patternProperties","oneOf anyOf allOf const not deprecated x-stability x-deprecated-sunset",...$o.map(([e,t])=>`${e} ${t}`)].flatMap(e=>e.split(" ")));function gt({schema:e,depth:t=0}){let n=x(e),o=Object.keys(n).filter(a=>!Lr.has(a)),r=[...$o.filter(([a,c])=>n[a]!==void 0||n[c]!==void 0).map(([a,c,d])=>Dr(n[a],n[c],d)),...o.map(a=>(Nr[a]??(c=>l`${a} ${Je([c])}`))(n[a]))].filter(Boolean),s=[n.items,...ln(n)].filter(a=>te(a)&&t<3&&!ze(a)),i=r.map((a,c)=>l`${c>0&&" · "}${a}`);return l`${r.length>0&&l`<p class="limits quiet">${i}</p>`}
    ${s.map(a=>l`<${gt} schema=${a} depth=${t+1} />`)}`}var ln=({oneOf:e=[],anyOf:t=[],allOf:n=[],prefixItems:o=[]})=>[...e,...t,...n,...o];function ze(e,t=[]){if(typeof e!="object"||t.includes(e))return!1;let n=x(e);return n.properties||n.patternProperties||te(n.additionalProperties)?!0:[n.items,...ln(n)].some(o=>ze(o,[...t,e]))}function un({id:e,name:t,node:n,schema:o,isRequired:r,within:s}){let i={...x(o),...n};return l`<li class="field" id=${e}>
    <p class="name"><code>${t}</code> <span class="quiet"><${he} schema=${o} /></span>
      ${r&&l`<span class="required">required</span>`}
      <${mt} of=${i} />
      ${e&&l`<${D} id=${e} title=${t} />`}
    </p>
    <${P} text=${i.description} />
    <${gt} schema=${o} />
    ${ze(o)&&l`<${Z} title=${l`Members of <code>${t}</code>`}>
        <${vt} schema=${o} within=${s} />
      <//>`}
  </li>`}function vt({schema:e,within:t=[]}){let n=Be(e);if(n&&t.includes(n))return l`<p class="limits quiet">As above: <${he} schema=${e} />.</p>`;let o=n?[...t,n]:t,r=x(e),{properties:s={},patternProperties:i={},required:a=[],items:c,additionalProperties:d}=r,p=[...Object.entries(s),...Object.entries(i).map(([m,v])=>[`/${m}/`,v]),...te(d)?[["any other name",d]]:[]],h=ln(r).filter(m=>ze(m)),f=([m,v])=>l`<${un}
    key=${m}
    name=${m}
    schema=${v}
    isRequired=${a.includes(m)}
    within=${o}
  />`,u=m=>{let{title:v=l`<${he} schema=${m} isPlain />`,description:_}=x(m);return l`<${Z} title=${l`Members of ${v}`} isOpen=${!!r.allOf}>
      <${P} text=${_} />
      <${vt} schema=${m} within=${o} />
    <//>`};return l`
    ${p.length>0&&l`<ul class="fields">${p.map(f)}</ul>`}
    ${ze(c)&&l`<${vt} schema=${c} within=${o} />`}
    ${h.map(u)}`}var ie=({type:e,schema:t,isBrief:n=!1})=>l`<div class="body">
  <p class="name">${e&&l`<span class="quiet">${e}</span>`}<${he} schema=${t} /></p>
  ${!Be(t)&&l`<${P} text=${x(t).description} />`}
  ${!(n&&Be(t))&&l`<${gt} schema=${t} /><${vt} schema=${t} />`}
</div>`,bt=({headers:e})=>l`<ul class="headers quiet">${e.map(([t,n])=>{let{description:o="",schema:r}=x(n);return l`<li>
      <code>${t}</code> ${r&&l`<span class="quiet"><${he} schema=${r} /></span>`}${" "}
      ${L(o)}
      ${r&&l`<${gt} schema=${r} />`}
    </li>`})}</ul>`;var Hr=({headers:e})=>e.length>0&&l`<${Z} title=${`Headers (${e.length})`}><${bt} headers=${e} /><//>`;function Br({status:e,response:t}){let{description:n,headers:o={},content:r={},links:s={}}=x(t);return l`<li class="response">
    <div class="status"><code>${e}</code><div><${P} text=${n} /></div></div>
    ${Object.entries(r).map(([i,a])=>l`<${ie} type=${i} schema=${a.schema??{}} />`)}
    ${Object.keys(s).length>0&&l`<p class="limits quiet">Links: ${Object.keys(s).join(", ")}</p>`}
    <${Hr} headers=${Object.entries(o)} />
  </li>`}function yo({error:e}){let{status:t,paragraphs:n,examples:o,schemas:r,headers:s}=e,a=[(o.length>0||r.length>0)&&"Body",s.length>0&&"headers"].filter(Boolean).join(" and "),c=d=>typeof d=="string"?d:ke(d);return l`<li class="response">
    <div class="status"><code>${t}</code><div><${P} text=${n.join(`

`)} /></div></div>
    ${a!==""&&l`<${Z} title=${a.replace(/^h/,"H")}>
        ${r.map(({type:d,schema:p})=>l`<${ie} type=${d} schema=${p} isBrief />`)}
        ${o.map(({name:d,value:p})=>l`<${Ue} what=${`Example ${d}`} text=${c(p)} />`)}
        <${bt} headers=${s} />
      <//>`}
  </li>`}function vo({operation:e}){let n=Object.entries(e.node.responses??{}).filter(([a])=>!Gt(a)),{own:o,shared:r,headers:s}=ht(e),i=r.map(({status:a},c)=>l`${c>0&&", "}<a href="#common-errors">${a}</a>`);return l`
    <h4>Responses</h4>
    <ul class="responses">
      ${n.map(([a,c])=>l`<${Br} status=${a} response=${c} />`)}
    </ul>
    ${o.length+r.length>0&&l`<h4>Errors</h4>`}
    <ul class="responses">${o.map(a=>l`<${yo} error=${a} />`)}</ul>
    ${r.length>0&&l`<p class="limits quiet">Common errors: ${i}.</p>`}
    ${s.length>0&&l`<p class="limits quiet">Errors of this operation may have these headers as well:</p>
        <${bt} headers=${s} />`}`}var go=()=>we.value.length>0&&l`<section class="part" id="common-errors">
    <h2>Common errors <${D} id="common-errors" title="common errors" /></h2>
    <div class="words">
      <p>
        Most operations may return these; each operation lists which.
        Errors of one operation are described with it.
      </p>
      <ul class="responses">${we.value.map(e=>l`<${yo} error=${e} />`)}</ul>
    </div>
  </section>`;var Fr={path:"In the path",query:"In the query",header:"Headers",cookie:"Cookies"};function Ur({of:{id:e,parameters:t}}){let n=Map.groupBy(t,r=>r.in),o=r=>l`<${un}
    key=${r.name}
    id=${`${e}-${r.in}-${r.name}`}
    name=${r.name}
    node=${r}
    schema=${Ce(r)}
    isRequired=${r.required}
  />`;return[...n].map(([r,s])=>l`<h4>${Fr[r]??r}</h4>
      <ul class="fields">${s.map(o)}</ul>`)}function Kr({node:e}){let{description:t,required:n,content:o={}}=x(e),r=Object.entries(o),s=r.map(([d])=>d),[i={},...a]=new Map(r.map(([,{schema:d={}}])=>[N(d),d])).values(),c=a.length===0?l`<${ie} type=${s.join(" or ")} schema=${i} />`:r.map(([d,{schema:p={}}])=>l`<${ie} type=${d} schema=${p} />`);return l`<h4>Body${!n&&", optional"}</h4>
    <${P} text=${t} />
    ${c}`}var Wr=/^(?:operationId|tags|summary|description|parameters|requestBody|responses|security|deprecated|externalDocs)$/,Gr=/^x-(?:stability|badges|deprecated-sunset|hideTryItPanel.*|explorer-enabled|fern-explorer|mcp|scope|codeSamples)$/;function Vr({operation:e}){let{node:t}=e,{externalDocs:n}=t,o=ne(e),r=(o??[]).filter(a=>!t.description?.includes(`\`${a}\``)),s=r.map(a=>l`<code>${a}</code> `),i=Object.entries(t).filter(([a])=>!Wr.test(a)&&!Gr.test(a));return l`<ul class="facts quiet">
    ${!o&&l`<li>Needs no key.</li>`}
    ${r.length>0&&l`<li>Needs a key with the scope ${s}</li>`}
    ${i.map(([a,c])=>l`<li><code>${a}</code> ${N(c)}</li>`)}
    ${n&&l`<li><${Oe} to=${n.url}>${n.description??"More about it"}<//></li>`}
  </ul>`}function Jr({node:e}){return Object.entries(e.responses??{}).filter(([t])=>/^[12]/.test(t)).flatMap(([t,n])=>Object.entries(x(n).content??{}).flatMap(([,o])=>Ge(o).map(({name:r,text:s},i,{length:a})=>({name:a>1?`${t} ${r}`:t,text:s}))))}function bo({operation:e}){let{id:t,title:n,method:o,path:r,node:s}=e,[i,a]=j(!1),[c,d]=j(),p=uo(e,i?c:void 0),h=ho(e),f=Jr(e);return l`<article class="part operation" id=${t} aria-labelledby="${t}--title">
    <div class="words">
      <p class="path"><${ft} method=${o} /> <code class=${s.deprecated?"ended":""}>${r}</code></p>
      <h3 id="${t}--title">${n} <${D} id=${t} title=${n} /></h3>
      <p class="marks"><${mt} of=${s} /></p>
      <${P} text=${s.description} />
      <${Vr} operation=${e} />
    </div>
    <div class="beside">
      ${h?l`<p class="reason quiet">${L(h)}</p>`:l`<section class="try">
            <button type="button" aria-expanded=${i} onClick=${()=>a(!i)}>
              Try it<span class="hidden">: ${n}</span>
            </button>
            ${i&&l`<${_o} operation=${e} onRequest=${d} />`}
          </section>`}
      <${fe} title="Request" isSample items=${p} />
      ${f.length>0&&l`<${fe} title="Response" items=${f} />`}
    </div>
    <div class="words details">
      <${Ur} of=${e} />
      ${s.requestBody&&l`<${Kr} node=${s.requestBody} />`}
      <${vo} operation=${e} />
    </div>
  </article>`}var Ye=S("introduction"),xt=S(""),_e=S(!1),ko=R(()=>{let{groups:e,sections:t,schemas:n}=G.value;return[{id:"introduction",title:"Introduction",group:"About",text:G.value.introduction},...oe.value.map(r=>({...r,group:"Guides"})),...e.flatMap(({name:r,operations:s})=>s.map(i=>({...i,group:r,text:Yr(i)}))),...we.value.length>0?[zr()]:[],...t.map(r=>({...r,group:"For all operations"})),...n.map(({id:r,name:s,node:i})=>({id:r,title:s,group:"Schemas",text:Zr(i)}))].map(r=>{let s=`${r.title} ${r.path??""}`.toLowerCase();return{...r,heading:s,text:`${s} ${r.text}`.toLowerCase()}})}),zr=()=>({id:"common-errors",title:"Common errors",group:"For all operations",text:N(we.value.map(({status:t,paragraphs:n})=>[t,n]))}),Yr=e=>{let{id:t,method:n,parameters:o,node:r}=e,s=o.map(({name:a,description:c})=>`${a} ${c}`),i=ht(e).own.map(({status:a,paragraphs:c})=>`${a} ${c}`);return[t,n,r.description,s,i].join(" ")},Zr=e=>{let{description:t,properties:n={}}=x(e);return`${t} ${Object.keys(n)}`},kt=R(()=>{let e=xt.value.toLowerCase().split(/\s+/).filter(Boolean),t=r=>e.every(s=>r.includes(s)),n=ko.value.filter(({text:r})=>t(r)),o=n.filter(({heading:r})=>t(r));return e.length===0?void 0:[...new Set([...o,...n])]}),xo=R(()=>`${kt.value?.length} found`);function Xr({entry:{id:e,title:t,method:n,node:o}}){let r=o?.["x-stability"];return l`<li><a
    href="#${e}"
    aria-current=${Ye.value===e?"true":void 0}
    onClick=${()=>_e.value=!1}
  >
    ${n&&l`<${ft} method=${n} />`}
    <span class="title ${o?.deprecated?"ended":""}">${t}</span>
    ${o?.deprecated&&l`<span class="mark">deprecated</span>`}
    ${r&&l`<span class="mark">${r}</span>`}
  </a></li>`}var wt=()=>document.querySelector("#search");function wo(){_e.value=!0,requestAnimationFrame(()=>{wt()?.focus(),wt()?.select()})}function So(){let e=ve(null);pe(()=>{let s=e.current?.getBoundingClientRect(),i=e.current?.querySelector("[aria-current]")?.getBoundingClientRect();!s||!i||i.top>=s.top&&i.bottom<=s.bottom||e.current?.scrollBy(0,i.top-s.top-s.height/3)},[Ye.value]);let t=({currentTarget:s})=>{xt.value=s.value,kt.value&&ee(xo.value)},n=s=>{let i=[...e.current?.querySelectorAll("a")??[]],a=i.findIndex(d=>d.matches(":focus")),c=s.target===wt();if(s.key==="ArrowDown")i[a+1]?.focus();else if(s.key==="ArrowUp")(a>0?i[a-1]:wt())?.focus();else if(s.key==="Enter"&&c)i[0]?.click();else if(s.key==="Escape")xt.value="",_e.value=!1,s.currentTarget.querySelector(".menu")?.focus();else return;s.preventDefault()},o=kt.value?new Map([[xo.value,kt.value]]):Map.groupBy(ko.value,({group:s})=>s),r=([s,i])=>l`<h2>${s}</h2>
    <ul>${i.map(a=>l`<${Xr} key=${a.id} entry=${a} />`)}</ul>`;return l`<div class="side ${_e.value?"open":""}" onKeyDown=${n}>
    <button
      type="button"
      class="menu"
      aria-expanded=${_e.value}
      aria-controls="contents"
      onClick=${()=>_e.value=!_e.value}
    >
      Contents and search
    </button>
    <nav id="contents" aria-label="Contents">
      <label class="search"><span class="hidden">Search the reference</span>
        <input
          id="search"
          type="search"
          placeholder="Search"
          aria-keyshortcuts="/"
          autocomplete="off"
          value=${xt.value}
          onInput=${t}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <div class="list" ref=${e} tabindex="-1">${[...o].map(r)}</div>
    </nav>
  </div>`}function Qr(){let{info:e={},servers:t=[]}=K.value,n=[["Version",e.version],...t.map(({url:r,description:s})=>[s??"Server",new URL(r,A).href.replace(/\/$/,"")])];n.some(([,r])=>r===A)||n.push(["Calls from this page",A]);let o=([r,s])=>l`<div><dt class="quiet">${r}</dt><dd><code>${s}</code></dd></div>`;return l`<dl class="addresses">${n.map(o)}</dl>`}function es(){let{contact:e,license:t,termsOfService:n}=K.value.info??{},o=e?.email&&l`<a href="mailto:${e.email}">${e.email}</a>`;return l`<p class="limits quiet">
    <a href="openapi.json">openapi.json</a>
    ${e&&l` · Contact: <${Oe} to=${e.url}>${e.name??e.url}<//> ${o}`}
    ${t&&l` · License: <${Oe} to=${t.url}>${t.name}<//>`}
    ${n&&l` · <${Oe} to=${n}>Terms of service<//>`}
  </p>`}function ts(){let{introduction:e,groups:t,sections:n,schemas:o}=G.value;return l`
    <section class="part" id="introduction"><div class="words">
      <p class="lead quiet">${K.value.info?.summary}</p>
      <${P} text=${e} top=${2} />
      <${Qr} />
      <${es} />
    </div></section>
    <${Qn} onDraw=${Eo} />
    ${t.map(({id:r,name:s,description:i,operations:a})=>l`<section id=${r} key=${r} class="group">
      <div class="part">
        <h2>${s} <${D} id=${r} title=${s} /></h2>
        <div class="words"><${P} text=${i} /></div>
      </div>
      ${a.map(c=>l`<${bo} key=${c.id} operation=${c} />`)}
    </section>`)}
    <${go} />
    ${n.map(({id:r,title:s,text:i})=>l`<section class="part" key=${r} id=${r}>
        <h2>${s} <${D} id=${r} title=${s} /></h2>
        <div class="wide"><${P} text=${i} top=${3} /></div>
      </section>`)}
    ${o.length>0&&l`<div class="part"><h2>Schemas</h2></div>`}
    ${o.map(({id:r,name:s,node:i})=>l`<section class="part schema" key=${r} id=${r}>
        <h3>${s} <${D} id=${r} title=${s} /></h3>
        <div class="words"><${ie} type="" schema=${i} /></div>
      </section>`)}`}function Oo(){let e=Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)+8,n=[...document.querySelectorAll("main .part[id]")].find(o=>o.getBoundingClientRect().bottom>e);return n&&{id:n.id,top:n.getBoundingClientRect().top}}var Co=()=>{Ye.value=Oo()?.id??Ye.value},ns=()=>{oe.value.length>0&&history.replaceState(Oo(),"")};function os(e){try{return decodeURIComponent(e)}catch{return e}}function Eo(){let{id:e=os(location.hash.slice(1)).replace(/^\/[^/]+\//,""),top:t}=history.state??{},n=document.getElementById(e);n?.scrollIntoView(),n&&t!==void 0&&scrollBy(0,n.getBoundingClientRect().top-t),Co()}function rs(){return l`<header class="masthead">
      <a class="skip hidden" href="#reference">Skip to the reference</a>
      <h1 class="brand"><img src="docs/favicon.svg" alt="" width="32" height="32" />${K.value.info?.title}</h1>
      <a class="other" href="shop">The shop, for staff</a>
      <${co} />
    </header>
    <div class="columns"><${So} /><main id="reference" tabindex="-1"><${ts} /></main></div>
    <p class="hidden" role="status">${dt.value}</p>`}history.scrollRestoration="manual";addEventListener("popstate",Eo);addEventListener("scroll",Co);addEventListener("scrollend",ns);addEventListener("keydown",e=>{let t=e.target instanceof Element&&e.target.matches("input, select, textarea");e.key!=="/"||e.ctrlKey||e.metaKey||e.altKey||t||(e.preventDefault(),wo())});var St=document.getElementById("page")??document.body;async function ss(){let e=await fetch("openapi.json");if(!e.ok)throw new Error(`openapi.json: ${e.status}`);K.value=Vn(await e.text()),document.title=K.value.info?.title??document.title,St.replaceChildren(),At(l`<${rs} />`,St),Xn()}ss().catch(e=>{let t=`The reference could not be loaded (${e instanceof Error?e.message:e}). Reload the page to try again.`;St.replaceChildren(),At(l`<main class="notice"><h1>Reference</h1><p role="alert">${t}</p></main>`,St)});
